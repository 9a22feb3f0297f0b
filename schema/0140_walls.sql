BEGIN; -- 0140_walls.sql: whose a GPU design is, and with which token a worker came
SELECT schema_register('0140_walls', requires => '0116_share');

CREATE TABLE design_owner (
    team_id bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    sha256 text NOT NULL REFERENCES design ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (team_id, sha256));
COMMENT ON TABLE design_owner IS 'teams that have sent this design themselves; nobody else learns that it exists, or is given it by its name';
COMMENT ON COLUMN design_owner.seen_at IS 'last upload; of a name, a team is answered with what it sent last, or with the built-in one where that is newer';
-- So far everybody saw every design: nobody is to miss one by an upgrade.
INSERT INTO design_owner SELECT t.id, d.sha256, d.created_at, d.seen_at FROM design d CROSS JOIN team t WHERE NOT d.builtin;

ALTER TABLE worker_session ADD COLUMN token_id bigint;
COMMENT ON COLUMN worker_session.token_id IS 'what it came with: such a token reads the blobs of the jobs that its sessions hold. NULL: a person''s session, or from before';
COMMIT;
