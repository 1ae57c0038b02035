/** The gate against random edits of real definitions: its verdict is the effect on generated objects. */
import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../generator/check/conversion/random.js';
import { compareSchemas } from '../../../../../generator/diff/compare/compare-schemas.js';
import type { DiffedVersion, Verdict } from '../../../../../generator/diff/difference.js';
import { Definition, partsOf } from '../../../../../generator/diff/proof/definition.js';
import { isAccepted, type Trial, tryOn } from '../../../../../generator/diff/proof/effects.js';
import { createProver } from '../../../../../generator/diff/proof/index.js';
import { asTrials } from '../../../../../generator/diff/proof/trials.js';
import { readCustomResource } from '../../../../../generator/model/custom-resource.js';
import type { JsonObject } from '../../../../../runtime/contract/index.js';
import { isObject } from '../../../../../runtime/objects/guards.js';
import { effort } from '../../../../support/effort.js';
import { type Edit, randomEdit } from '../../../../support/gate/edits.js';
import { ObjectMaker } from '../../../../support/gate/objects.js';
import { hasShared, shared } from '../../../../support/shared.js';

/** Edits, and the objects that test each edit. */
const edits = effort('KINDFORGE_GATE_EDITS', 20, 500);
const objects = effort('KINDFORGE_GATE_OBJECTS', 50, 1_000);

/** The size of the largest edited definition, in bytes. Larger ones only repeat the same keywords. */
const LARGEST = 60_000;

function definitions(): readonly string[] {
  const folder = shared('crds', 'definitions');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  return files
    .sort()
    .map((file) => readFileSync(shared('crds', 'definitions', file), 'utf8'))
    .filter((text) => text.length < LARGEST);
}

function storedVersionOf(text: string): DiffedVersion | undefined {
  const raw = load(text);
  if (!isObject(raw)) return undefined;
  const resource = readCustomResource(raw, { path: 'definition.yaml', hash: '' });
  const version = resource.versions.find(({ storage }) => storage);
  return version && { resource, version };
}

const isValidIn = ({ resource, version }: DiffedVersion, { schema }: Edit): boolean => {
  // An edit may make a default invalid; `check` refuses such a definition.
  const definition = new Definition(partsOf({ resource, version: { ...version, schema } }));
  return definition.create({ apiVersion: '', kind: '', metadata: { name: 'a' } }) !== undefined;
};

/** Judges one edit, and returns all mistakes in its verdict. */
function judgeEdit(
  old: DiffedVersion,
  edit: Edit,
  random: () => number,
): { kind: Verdict['kind']; wrong: string[]; felt: number; tried: number } {
  const later: DiffedVersion = { ...old, version: { ...old.version, schema: edit.schema } };
  const prover = createProver(old, later);
  const differences = compareSchemas(old.version.schema, edit.schema).map((each) => ({
    resource: 'things',
    version: 'v1',
    ...each,
  }));
  const verdicts = differences.map((difference) => prover.judge(difference));
  const kind =
    (['break', 'undecided', 'safe'] as const).find((each) => verdicts.some((verdict) => verdict.kind === each)) ??
    'safe';
  const pair = { old: new Definition(partsOf(old)), new: new Definition(partsOf(later)) };
  const wrong = verdicts.flatMap((verdict) => untrue(verdict, pair));
  const maker = new ObjectMaker(random);
  const { apiVersion, kind: name, statusParts } = partsOf(old);
  let [tried, felt] = [0, 0];
  let last: JsonObject | undefined;
  for (let made = 0; tried < objects && made < 10 * objects; made++) {
    const object = maker.object(old.version.schema, edit.place, { apiVersion, kind: name });
    const trials: Trial[] = [...asTrials(object, statusParts)];
    if (last !== undefined) trials.push({ before: last, object });
    for (const trial of trials) {
      const { counted, witnesses } = tryOn(pair, trial);
      if (!counted) continue;
      tried++;
      if (trial.through === undefined) last = object;
      if (witnesses.writers === undefined && witnesses.stored === undefined) continue;
      felt++;
      if (kind !== 'break')
        wrong.push(
          `${kind}, but ${JSON.stringify(trial)} is affected: ${JSON.stringify(witnesses.writers?.new ?? witnesses.stored?.new)}`,
        );
      break;
    }
    if (wrong.length > 0) break;
  }
  return { kind, wrong, felt, tried };
}

/** Returns the claims of a witness that fail if it is replayed on both whole definitions. */
function untrue(verdict: Verdict, pair: { old: Definition; new: Definition }): string[] {
  if (verdict.kind !== 'break') return [];
  const { witness, effects } = verdict;
  if (witness === undefined) return ['a break without a witness'];
  const trial: Trial =
    witness.before && effects[0] === 'writers'
      ? { before: witness.before, object: witness.object }
      : { object: witness.object };
  const trials: Trial[] = [trial, { ...trial, through: 'status' }, { object: witness.before ?? witness.object }];
  const isTrue = trials.some(
    (each) => isAccepted(pair.old, each) && Object.keys(tryOn(pair, each).witnesses).length > 0,
  );
  return isTrue ? [] : [`the witness ${JSON.stringify(witness)} is none`];
}

describe.skipIf(!hasShared)('random edits of real definitions (skipped if they are not beside the checkout)', () => {
  it('are judged by their effect on generated objects', { timeout: 1_800_000 }, () => {
    const random = createRandom(Number(process.env.KINDFORGE_SEED ?? 32));
    const texts = definitions();
    const counts = { break: 0, safe: 0, undecided: 0, felt: 0 };
    const wrong: string[] = [];
    for (let done = 0; done < edits; ) {
      const old = storedVersionOf(texts[Math.floor(random() * texts.length)] ?? '');
      const edit = old && randomEdit(old.version.schema, random);
      if (old === undefined || edit === undefined || !isValidIn(old, edit)) continue;
      done++;
      const judged = judgeEdit(old, edit, random);
      counts[judged.kind]++;
      if (judged.felt > 0) counts.felt++;
      wrong.push(...judged.wrong.map((each) => `${old.resource.names.kind}: ${edit.what}: ${each}`));
    }
    if (process.env.KINDFORGE_LONG === '1') process.stdout.write(`${JSON.stringify(counts)}\n`);
    expect(wrong).toEqual([]);
    expect(counts.break).toBeGreaterThan(edits / 5);
    expect(counts.safe).toBeGreaterThan(edits / 10);
    expect(counts.felt).toBeGreaterThan(edits / 10);
  });
});
