BEGIN; -- 0554_plan_part.sql: plans of a part of a workload: some layers, some steps; strata that keep to parts.
SELECT schema_register('0554_plan_part', requires => '0553_label');

ALTER TABLE plan ADD COLUMN part_by text, ADD COLUMN part_only text, ADD COLUMN part_steps text, ADD COLUMN part_words text;
COMMENT ON COLUMN plan.part_by IS 'strata keep to parts of this kind: layer, phase, step, class; NULL: they need not';
COMMENT ON COLUMN plan.part_only IS 'pattern of the layers that the plan is for; NULL: all';
COMMENT ON COLUMN plan.part_steps IS 'first and last step that the plan is for, such as 10..19; NULL: all';
COMMENT ON COLUMN plan.part_words IS 'layers and steps in words; NULL: the plan is for the whole workload';
COMMIT;
