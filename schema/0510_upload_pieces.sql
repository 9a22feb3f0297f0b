BEGIN; -- 0510_upload_pieces.sql: with a bucket, pieces of unfinished uploads are objects, which go when the upload is over.
SELECT schema_register('0510_upload_pieces', requires => '0481_jobs_by_state');
CREATE TABLE upload_gone (
    upload_id uuid PRIMARY KEY,
    pieces    bigint NOT NULL CHECK (pieces > 0)
);
COMMENT ON TABLE upload_gone IS 'uploads that are over; the collector removes their pieces, then the row';

CREATE FUNCTION upload_pieces_go() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO upload_gone VALUES (OLD.id, (OLD.bytes + 8388607) / 8388608) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER upload_goes AFTER DELETE ON upload FOR EACH ROW WHEN (OLD.reserved_bytes > 0) EXECUTE FUNCTION upload_pieces_go();
CREATE TRIGGER upload_settles AFTER UPDATE OF reserved_bytes ON upload FOR EACH ROW
    WHEN (OLD.reserved_bytes > 0 AND NEW.reserved_bytes = 0) EXECUTE FUNCTION upload_pieces_go();
COMMIT;
