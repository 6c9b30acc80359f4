-- What was written since a look is found without reading all records.
CREATE INDEX records_by_update ON records (updated_at_ms);
