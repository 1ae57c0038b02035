/** The functions in the database. */
import { literal, quoted } from './names.js';

/** Returns an expression for microseconds since 1970. They do not depend on the time zone of the session. */
export const micros = (column: string): string => `(extract(epoch FROM ${column}) * 1000000)::bigint`;

/**
 * Returns the statement that creates the function for groups of changes. The function decides on a group in one round
 * trip, under one lock. In the isolation level READ COMMITTED, each of its statements sees everything that was
 * committed before. In a stricter level, the lock of the head fails if anything was committed since the call began. So
 * the function never decides on an old state.
 *
 * The head stays locked until the changes are committed. So revisions have no gaps, and become visible in order. The
 * planner cannot know how large the tables will be, so the function only allows plans by index. Such plans look
 * expensive to the planner, so it would compile them each time, which takes 30 ms.
 */
export function commitFunction(name: string): string {
  const schema = quoted(name);
  return `CREATE OR REPLACE FUNCTION ${schema}.commit_group(
  p_epoch text, p_known bigint, p_known_at bigint, p_head bigint, p_writer text, p_within_ms integer,
  p_groups text[], p_resources text[], p_namespaces text[], p_names text[],
  p_expected bigint[], p_writes boolean[], p_bodies bytea[], p_lasts bytea[],
  g_changes integer[], g_groups text[], g_resources text[], g_namespaces text[], g_names text[], g_revisions bigint[]
) RETURNS TABLE (change integer, revision bigint, at bigint, note text, body bytea)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan
SET jit = off
AS $function$
#variable_conflict use_column
DECLARE
  v_revision bigint;
  v_at timestamptz;
  v_epoch text;
  v_unfinished boolean;
  v_made text;
  v_count integer;
  v_now timestamptz;
BEGIN
  PERFORM set_config('lock_timeout', p_within_ms || 'ms', true);
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  SELECT h.revision, h.at, h.epoch, h.unfinished INTO v_revision, v_at, v_epoch, v_unfinished
    FROM ${schema}.head h FOR UPDATE;
  IF v_epoch IS DISTINCT FROM p_epoch OR v_unfinished THEN
    RETURN QUERY SELECT 0, v_revision, ${micros('v_at')}, 'superseded'::text, NULL::bytea;
    RETURN;
  END IF;
  -- A promoted standby may lack changes that the caller has seen.
  IF p_known > 0 AND (p_known > v_revision OR (p_known = v_revision AND p_known_at <> ${micros('v_at')})
    OR EXISTS (SELECT FROM ${schema}.changes c WHERE c.revision = p_known AND ${micros('c.at')} <> p_known_at))
  THEN
    RETURN QUERY SELECT 0, v_revision, ${micros('v_at')}, 'lost'::text, NULL::bytea;
    RETURN;
  END IF;
  IF p_head <> v_revision THEN
    RETURN QUERY SELECT 0, v_revision, ${micros('v_at')}, 'moved'::text, NULL::bytea;
    RETURN;
  END IF;
  v_now := clock_timestamp();
  WITH broken AS (
    SELECT DISTINCT g.change
    FROM unnest(g_changes, g_groups, g_resources, g_namespaces, g_names, g_revisions)
      AS g (change, api_group, resource, namespace, name, revision)
    LEFT JOIN ${schema}.objects o ON o.api_group = g.api_group AND o.resource = g.resource
      AND o.namespace = g.namespace AND o.name = g.name
    WHERE coalesce(o.revision, 0) <> g.revision
  ), decided AS (
    SELECT p.*, o.revision AS found_revision, o.body AS found_body,
      coalesce(o.revision, 0) = p.expected AND p.i NOT IN (SELECT broken.change FROM broken) AS made
    FROM unnest(p_groups, p_resources, p_namespaces, p_names, p_expected, p_writes, p_bodies, p_lasts) WITH ORDINALITY
      AS p (api_group, resource, namespace, name, expected, writes, body, last_state, i)
    LEFT JOIN ${schema}.objects o ON o.api_group = p.api_group AND o.resource = p.resource
      AND o.namespace = p.namespace AND o.name = p.name
  ), numbered AS (
    SELECT d.*, v_revision + row_number() OVER (ORDER BY d.i) AS revision, v_revision + count(*) OVER () AS last_of_group
    FROM decided d WHERE d.made AND d.writes
  ), created AS (
    INSERT INTO ${schema}.objects (api_group, resource, namespace, name, revision, body)
    SELECT n.api_group, n.resource, n.namespace, n.name, n.revision, n.body
    FROM numbered n WHERE n.body IS NOT NULL AND n.found_revision IS NULL
  ), updated AS (
    UPDATE ${schema}.objects o SET revision = n.revision, body = n.body
    FROM numbered n WHERE n.body IS NOT NULL AND n.found_revision IS NOT NULL
      AND o.api_group = n.api_group AND o.resource = n.resource AND o.namespace = n.namespace AND o.name = n.name
  ), deleted AS (
    DELETE FROM ${schema}.objects o USING numbered n WHERE n.body IS NULL
      AND o.api_group = n.api_group AND o.resource = n.resource AND o.namespace = n.namespace AND o.name = n.name
  ), noted AS (
    INSERT INTO ${schema}.changes (revision, last_of_group, api_group, resource, namespace, name, deleted, last_state,
      replaced_revision, replaced, writer, at)
    SELECT n.revision, n.last_of_group, n.api_group, n.resource, n.namespace, n.name, n.body IS NULL, n.last_state,
      n.found_revision, n.found_body, p_writer, v_now
    FROM numbered n
  )
  SELECT string_agg(CASE WHEN d.made THEN '1' ELSE '0' END, '' ORDER BY d.i), count(*) FILTER (WHERE d.made AND d.writes)
    INTO v_made, v_count FROM decided d;
  IF v_count > 0 THEN
    v_revision := v_revision + v_count;
    v_at := v_now;
    UPDATE ${schema}.head h SET revision = v_revision, at = v_at;
    PERFORM pg_notify(${literal(name)}, v_revision || ' ' || p_writer);
  END IF;
  RETURN QUERY SELECT 0, v_revision, ${micros('v_at')}, v_made, NULL::bytea;
  -- The changes above have other keys, so these objects have not changed.
  IF v_made LIKE '%0%' THEN
    RETURN QUERY SELECT p.i::integer, o.revision, NULL::bigint, NULL::text, o.body
      FROM unnest(p_groups, p_resources, p_namespaces, p_names) WITH ORDINALITY
        AS p (api_group, resource, namespace, name, i)
      JOIN ${schema}.objects o ON o.api_group = p.api_group AND o.resource = p.resource
        AND o.namespace = p.namespace AND o.name = p.name
      WHERE substr(v_made, p.i::integer, 1) = '0';
  END IF;
END
$function$;`;
}

/**
 * Returns the statement that creates the function for the start of history. The function finds the revision after which
 * all changes are kept, and are within the window and the largest number. It can use a binary search, because revisions
 * have no gaps and times do not go back.
 */
export function historyFunction(name: string): string {
  const schema = quoted(name);
  return `CREATE OR REPLACE FUNCTION ${schema}.history_from(p_window_ms bigint, p_most bigint) RETURNS bigint
LANGUAGE plpgsql STABLE AS $function$
DECLARE
  v_low bigint;
  v_high bigint;
  v_middle bigint;
  v_from timestamptz := now() - p_window_ms * interval '1 millisecond';
BEGIN
  SELECT greatest(h.history, h.revision - p_most), h.revision INTO v_low, v_high FROM ${schema}.head h;
  WHILE v_low < v_high LOOP
    v_middle := (v_low + v_high + 1) / 2;
    IF EXISTS (SELECT FROM ${schema}.changes c WHERE c.revision = v_middle AND c.at >= v_from) THEN
      v_high := v_middle - 1;
    ELSE
      v_low := v_middle;
    END IF;
  END LOOP;
  -- This revision may be within a group.
  RETURN coalesce((SELECT c.last_of_group FROM ${schema}.changes c WHERE c.revision = v_low), v_low);
END
$function$;`;
}
