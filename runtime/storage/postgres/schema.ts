/** The tables of the store, as statements that any role with the right to create them can run. */
import { commitFunction, historyFunction } from './functions.js';
import { quoted } from './names.js';

/**
 * The format of the data that this version reads and writes. A change of a table or function increments it. The
 * statements below then also upgrade tables of an earlier format.
 */
export const FORMAT = 1;

/**
 * Returns the statements that create the tables in a schema, or upgrade existing ones. If another role runs them, the
 * role of the servers needs no right to create anything.
 */
export function schemaStatements(schema: string): string {
  const name = quoted(schema);
  return `CREATE SCHEMA IF NOT EXISTS ${name};\n${tableStatements(schema)}`;
}

/** Returns the statements for a schema that exists. */
export function tableStatements(schema: string): string {
  const name = quoted(schema);
  return `
-- One row: the last revision, and the state that all servers share.
CREATE TABLE IF NOT EXISTS ${name}.head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  format integer NOT NULL,
  -- The last assigned revision, and its time.
  revision bigint NOT NULL,
  at timestamptz NOT NULL,
  -- All changes after this revision are in the table of changes.
  history bigint NOT NULL,
  -- Changes with each restore.
  epoch text NOT NULL,
  -- Set while a restore is in progress.
  unfinished boolean NOT NULL,
  secret bytea
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

-- The objects as they are now. The core group, and the namespace of cluster-scoped objects, is ''.
CREATE TABLE IF NOT EXISTS ${name}.objects (
  api_group text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  -- JSON without a resourceVersion, or the encrypted form of it.
  body bytea NOT NULL,
  PRIMARY KEY (api_group, resource, namespace, name)
) WITH (fillfactor = 85);
ALTER TABLE ${name}.objects ALTER COLUMN body SET STORAGE EXTERNAL;

-- The changes within the history window, each with the state that it replaced.
CREATE TABLE IF NOT EXISTS ${name}.changes (
  revision bigint PRIMARY KEY,
  -- The last revision of the group of changes that were made together.
  last_of_group bigint NOT NULL,
  api_group text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  deleted boolean NOT NULL,
  -- The last state of a deleted object, if it is not the stored one.
  last_state bytea,
  replaced_revision bigint,
  replaced bytea,
  writer text NOT NULL,
  at timestamptz NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.5);
ALTER TABLE ${name}.changes ALTER COLUMN last_state SET STORAGE EXTERNAL;
ALTER TABLE ${name}.changes ALTER COLUMN replaced SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX IF NOT EXISTS changes_replaced_revision ON ${name}.changes (replaced_revision)
  WHERE replaced_revision IS NOT NULL;

-- The server that deletes old changes.
CREATE TABLE IF NOT EXISTS ${name}.lease (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  holder text NOT NULL,
  until timestamptz NOT NULL
);

${commitFunction(schema)}

${historyFunction(schema)}

INSERT INTO ${name}.head (format, revision, at, history, epoch, unfinished)
  VALUES (${FORMAT}, 0, clock_timestamp(), 0, gen_random_uuid()::text, false) ON CONFLICT DO NOTHING;
UPDATE ${name}.head SET format = ${FORMAT} WHERE format < ${FORMAT};
`;
}

/** Returns statements that create views for reports. The views have no `object` for an encrypted object. */
export function reportViews(schema: string): string {
  const name = quoted(schema);
  return `-- All objects as JSON, for reports. Do not write through this view.
CREATE OR REPLACE VIEW ${name}.objects_json AS
  SELECT api_group, resource, namespace, name, revision,
    CASE WHEN get_byte(body, 0) = 123 THEN
      jsonb_set(convert_from(body, 'UTF8')::jsonb, '{metadata,resourceVersion}', to_jsonb(revision::text))
    END AS object
  FROM ${name}.objects;

-- The number of objects of each resource, and their bytes.
CREATE OR REPLACE VIEW ${name}.resources AS
  SELECT api_group, resource, count(*) AS objects, sum(octet_length(body)) AS bytes
  FROM ${name}.objects GROUP BY api_group, resource;

-- The kept changes, the newest first.
CREATE OR REPLACE VIEW ${name}.recent_changes AS
  SELECT revision, at, api_group, resource, namespace, name,
    CASE WHEN deleted THEN 'delete' WHEN replaced_revision IS NULL THEN 'create' ELSE 'update' END AS change, writer
  FROM ${name}.changes ORDER BY revision DESC;
`;
}
