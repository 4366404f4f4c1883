-- Every row carries a keyed digest over all of its columns. Instants named keep_until are retention-clock milliseconds.

-- Request IDs are time-ordered, so new rows append to one tree. keep_until is null while unfinished; a create touches no index.
CREATE TABLE requests (
  request_id TEXT NOT NULL PRIMARY KEY,
  client_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  keep_until INTEGER,
  listed INTEGER NOT NULL,
  idempotency_key TEXT,
  digest BLOB NOT NULL,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX requests_by_keep_until ON requests (keep_until) WHERE keep_until IS NOT NULL;

CREATE TABLE idempotency (
  client_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  request_id TEXT NOT NULL,
  params_digest TEXT NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (client_id, idempotency_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstones (
  request_id TEXT NOT NULL PRIMARY KEY,
  client_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  keep_until INTEGER NOT NULL,
  digest BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX tombstones_by_keep_until ON tombstones (keep_until);

CREATE TABLE clients (
  client_id TEXT NOT NULL PRIMARY KEY,
  digest BLOB NOT NULL,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The user's settings, the age of this database, the retention clock, the catalog revision.
CREATE TABLE meta (
  name TEXT NOT NULL PRIMARY KEY,
  digest BLOB NOT NULL,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
