# ptx/lower against ptxas: see tests/lowering/README.md. Included by the Makefile.
.PHONY: lowering lowering-record lowering-forms
LOWERING_OBJS := $(BUILD)/obj/tests/lowering/counts.o $(BUILD)/obj/tests/lowering/cubin.o $(BUILD)/obj/tests/lowering/reach.o

# make lowering: counts of instructions and registers, ours and those recorded of ptxas
lowering: $(BUILD)/lowering/compare
	@$< tests/lowering/ptxas.csv
# make lowering-record: records those of ptxas anew
lowering-record: $(BUILD)/lowering/compare
	@sh tests/lowering/record.sh $(BUILD)
# make lowering-forms: single PTX operations for which we have another number of instructions than ptxas (needs ptxas)
lowering-forms: $(BUILD)/lowering/compare
	@$(NODE) tests/lowering/forms.mjs $(BUILD)
$(BUILD)/lowering/compare: $(BUILD)/obj/tests/lowering/compare.o $(LOWERING_OBJS) $(call libs,ptx sass trace base)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS_base)
