/** Definitions over the releases of other projects, and the verdict on each step, as a table. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { type ComparedVersion, compareModels } from '../../../generator/diff/compare/compare-models.js';
import type { Finding } from '../../../generator/diff/finding.js';
import { createProver } from '../../../generator/diff/proof/index.js';
import { type Judged, judge } from '../../../generator/diff/rules/judge.js';
import { readCustomResource } from '../../../generator/model/custom-resource.js';
import type { Model } from '../../../generator/model/model.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { shared } from '../shared.js';

/** One definition over its releases, oldest first. */
export interface Chain {
  readonly project: string;
  /** `<plural>.<group>`. */
  readonly name: string;
  readonly releases: readonly string[];
}

/** A version with different schemas in two releases, and the findings. */
export interface JudgedVersion {
  readonly compared: ComparedVersion;
  readonly findings: readonly Judged[];
}

/** The step from one release to the next. */
export interface Step {
  readonly from: string;
  readonly to: string;
  /** Findings about the definition as a whole. */
  readonly findings: readonly Judged[];
  readonly versions: readonly JudgedVersion[];
}

const folder = shared('upgrades');

const foldersIn = (path: string): readonly string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

export const chains = (): readonly Chain[] =>
  foldersIn(folder).flatMap((project) =>
    foldersIn(join(folder, project)).map((name): Chain => {
      const releases = readdirSync(join(folder, project, name)).sort();
      return { project, name, releases };
    }),
  );

/** Yields the steps of a chain. Judges each step only when the caller reads it. */
export function* stepsOf({ project, name, releases }: Chain): Generator<Step> {
  let before: Model | undefined;
  for (const [at, file] of releases.entries()) {
    const model = modelIn(join(folder, project, name, file));
    if (before !== undefined) yield judgeStep(before, model, releaseOf(releases[at - 1] ?? ''), releaseOf(file));
    before = model;
  }
}

const releaseOf = (file: string): string => file.replace(/^\d+-/, '').replace(/\.yaml$/, '');

function modelIn(file: string): Model {
  const text = readFileSync(file, 'utf8');
  const raw = load(text);
  if (!isObject(raw)) throw new Error(`${file} is not a definition`);
  return {
    resources: [readCustomResource(raw, { path: file, hash: createHash('sha256').update(text).digest('hex') })],
    types: new Map(),
  };
}

function judgeStep(before: Model, after: Model, from: string, to: string): Step {
  const resources = compareModels(before, after);
  return {
    from,
    to,
    findings: resources.flatMap(({ old, new: next, differences }) =>
      differences.map((each) => {
        const [oldVersion, newVersion] = [old, next].map((side) =>
          side?.versions.find(({ name }) => name === each.version),
        );
        return judge(each, { old, new: next, oldVersion, newVersion }, () => undefined);
      }),
    ),
    versions: resources.flatMap(({ versions }) => versions.map(judgeVersion)),
  };
}

function judgeVersion(compared: ComparedVersion): JudgedVersion {
  const { old, new: next, differences } = compared;
  const prover = createProver(old, next);
  const sides = { old: old.resource, new: next.resource, oldVersion: old.version, newVersion: next.version };
  return { compared, findings: differences.map((each) => judge(each, sides, () => prover)) };
}

/** Lists the findings of a step that affect or may affect somebody. */
const findingsOf = ({ findings, versions }: Step): readonly Judged[] => [
  ...findings,
  ...versions.flatMap((version) => version.findings),
];

const severities: readonly Finding['severity'][] = ['break', 'undecided', 'warning', 'safe'];

/** Returns the verdict on the worst difference of a step. */
export function verdictOf(step: Step): Finding['severity'] {
  const found = findingsOf(step);
  return severities.find((each) => found.some(({ severity }) => severity === each)) ?? 'safe';
}

/** Prints the table of a chain's steps for the documentation. */
export function tableOf(chain: Chain, steps: readonly Step[]): string {
  const rows = steps.map((step) => {
    const found = findingsOf(step);
    return `| ${step.from} → ${step.to} | ${found.length} | ${verdictOf(step)} | ${reasonsOf(found)} |`;
  });
  const head = '| step | differences | verdict | because of |\n| --- | --- | --- | --- |';
  return `### ${chain.project}: ${chain.name}\n\n${head}\n${rows.join('\n')}\n`;
}

/** Prints the worst differences of a step. Counts differences at several places of the same part. */
function reasonsOf(found: readonly Judged[]): string {
  const worst = severities.find((each) => found.some(({ severity }) => severity === each));
  if (worst === undefined || worst === 'safe') return '–';
  const groups = new Map<string, Judged[]>();
  for (const finding of found.filter(({ severity }) => severity === worst)) {
    const { keyword, path } = finding.difference;
    const key = `${keyword} ${path.split('.').slice(-2).join('.')}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].map(([first, ...others]) => reasonOf(first, others.length)).join('<br>');
}

function reasonOf(finding: Judged | undefined, others: number): string {
  if (finding === undefined) return '';
  const { difference, effects } = finding;
  const place = difference.path === '' ? '' : ` of \`${difference.path}\``;
  const more = others === 0 ? '' : `, and at ${others} more ${others === 1 ? 'place' : 'places'}`;
  return `\`${difference.keyword}\`${place}${more}: ${effects.join(', ')}`;
}
