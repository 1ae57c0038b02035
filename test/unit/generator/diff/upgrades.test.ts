/** The real upgrades of other projects: each step has a verdict that holds, and the documentation lists them all. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../generator/check/conversion/random.js';
import type { Difference } from '../../../../generator/diff/difference.js';
import { Definition, partsOf } from '../../../../generator/diff/proof/definition.js';
import { type Pair, type Trial, tryOn } from '../../../../generator/diff/proof/effects.js';
import { placed } from '../../../../generator/diff/proof/place.js';
import { asTrials } from '../../../../generator/diff/proof/trials.js';
import { effort } from '../../../support/effort.js';
import { ObjectMaker } from '../../../support/gate/objects.js';
import { chains, type JudgedVersion, type Step, stepsOf, tableOf } from '../../../support/gate/upgrades.js';
import { hasShared, root } from '../../../support/shared.js';

/** Returns objects that must survive a step with a safe verdict. */
const objects = effort('KINDFORGE_GATE_OBJECTS', 50, 1_000);

const page = join(root, 'docs/diff-upgrades.md');
const [begin, end] = ['<!-- verdicts -->\n', '<!-- end of verdicts -->'];

const pairOf = ({ compared }: JudgedVersion): Pair => ({
  old: new Definition(partsOf(compared.old)),
  new: new Definition(partsOf(compared.new)),
});

/** Returns breaks of schemas with witnesses that show no break when they are replayed on both whole definitions. */
function untrueBreaks(version: JudgedVersion): readonly string[] {
  const felt = version.findings.filter(({ effects, difference }) => {
    return difference.node !== undefined && effects.some((effect) => effect === 'writers' || effect === 'stored');
  });
  if (felt.length === 0) return [];
  const pair = pairOf(version);
  return felt.flatMap(({ difference, witnesses }) => {
    const name = `${difference.path} ${difference.keyword}`;
    if (witnesses.length === 0) return [`${name}: a break without a witness`];
    const isTrue = witnesses.every(({ before, object }) =>
      [
        { object },
        ...(before === undefined ? [] : [{ before, object }, { before, object, through: 'status' } as const]),
      ].some((trial: Trial) => Object.keys(tryOn(pair, trial).witnesses).length > 0),
    );
    return isTrue ? [] : [`${name}: ${JSON.stringify(witnesses)}`];
  });
}

const placeOf = (difference: Difference): readonly string[] =>
  (placed(difference)?.segments ?? []).map((segment) => (segment === 'each' ? '[]' : segment.key));

/** Returns objects that a version affects although no finding reports a break. */
function feltInSafety(version: JudgedVersion): readonly string[] {
  const { compared, findings } = version;
  const isQuiet = findings.every(({ effects }) => !effects.includes('writers') && !effects.includes('stored'));
  if (!isQuiet || findings.length === 0) return [];
  const pair = pairOf(version);
  const random = createRandom(9);
  const maker = new ObjectMaker(random);
  const { apiVersion, kind, statusParts } = partsOf(compared.old);
  for (let tried = 0, made = 0; tried < objects && made < 5 * objects; made++) {
    const finding = findings[Math.floor(random() * findings.length)];
    const place = finding === undefined ? [] : placeOf(finding.difference);
    for (const trial of asTrials(maker.object(compared.old.version.schema, place, { apiVersion, kind }), statusParts)) {
      const { counted, witnesses } = tryOn(pair, trial);
      if (counted) tried++;
      if (Object.keys(witnesses).length > 0) return [JSON.stringify({ trial, witnesses })];
    }
  }
  return [];
}

describe.skipIf(!hasShared)('upgrades of other projects (skipped if they are not beside the checkout)', () => {
  const judged = chains().map((chain) => ({ chain, steps: [] as Step[] }));

  it.each(judged)('$chain.project $chain.name: every verdict holds', { timeout: 600_000 }, ({ chain, steps }) => {
    const wrong: string[] = [];
    for (const step of stepsOf(chain)) {
      steps.push(step);
      for (const version of step.versions) wrong.push(...untrueBreaks(version), ...feltInSafety(version));
    }
    expect(wrong).toEqual([]);
    expect(steps).toHaveLength(chain.releases.length - 1);
    expect(steps.filter(({ versions }) => versions.length > 0)).not.toEqual([]);
  });

  it('are listed in the documentation', () => {
    const tables = judged.map(({ chain, steps }) => tableOf(chain, steps)).join('\n');
    const text = readFileSync(page, 'utf8');
    const [head = '', rest = ''] = text.split(begin);
    const tail = rest.slice(rest.indexOf(end));
    const expected = `${head}${begin}\n${tables}\n${tail}`;
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(page, expected);
    else expect(text).toBe(expected);
  });
});
