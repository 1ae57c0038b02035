/** The tables of docs/feature-gates.md and docs/feature-gates-without-effect.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { isArray, isObject } from '../../../runtime/objects/guards.js';
import { gateHistories } from '../../../runtime/registry/gate-histories.js';
import { changesOf, type GateHistory, type GateState, states } from '../../../runtime/registry/gate-states.js';
import { root } from '../shared.js';
import { readYaml } from '../yaml.js';
import { codes, type Parts, table } from './page.js';

/** The kinds and fields that exist only while a gate is on. */
interface Gated {
  readonly kinds: Set<string>;
  readonly fields: Set<string>;
}

export function featureGateTables(): Parts {
  const gated = gatedByDefinitions();
  const unknown = [...gated.keys()].filter((gate) => !Object.hasOwn(gateHistories, gate));
  if (unknown.length > 0) throw new Error(`definitions name gates that no release has: ${unknown.join(', ')}`);
  const rows = Object.entries(gateHistories).map(([gate, history]) => {
    const effects = effectsOf(history, gated.get(gate));
    return { gate, stages: stagesOf(history), effects };
  });
  const idle = new Map<string, string[]>();
  for (const { gate, stages, effects } of rows) {
    if (effects === '') idle.set(stages, [...(idle.get(stages) ?? []), gate]);
  }
  const stages = 'stage and default, by release';
  return {
    effective: table(
      ['gate', stages, 'what it switches here'],
      rows.flatMap(({ gate, stages, effects }) => (effects === '' ? [] : [[codes([gate]), stages, effects]])),
    ),
    idle: table(
      [stages, 'gates'],
      [...idle].map(([stages, gates]) => [stages, codes(gates)]),
    ),
  };
}

const stagesOf = (history: GateHistory): string =>
  changesOf(history)
    .map(([release, state]) => `${release} ${wordsOf(state)}`)
    .join('; ');

function wordsOf(state: GateState): string {
  if (state === 'gone') return state;
  const { stage, byDefault, locked } = states[state];
  return `${stage === 'ga' ? 'GA' : stage}, ${byDefault ? 'on' : 'off'}${locked ? ', locked' : ''}`;
}

function effectsOf({ here }: GateHistory, { kinds, fields }: Gated = { kinds: new Set(), fields: new Set() }): string {
  return [
    ...(here === undefined ? [] : [here]),
    ...(kinds.size === 0 ? [] : [named('kind', kinds)]),
    ...(fields.size === 0 ? [] : [named('field', fields)]),
  ].join('; ');
}

const named = (what: string, names: ReadonlySet<string>): string =>
  `${what}${names.size === 1 ? '' : 's'} ${codes([...names].sort())}`;

/** Returns the kinds and fields of the built-in definitions that each gate controls. */
function gatedByDefinitions(): ReadonlyMap<string, Gated> {
  const found = new Map<string, Gated>();
  const gatedBy = (gate: string): Gated => {
    const known = found.get(gate) ?? { kinds: new Set(), fields: new Set() };
    found.set(gate, known);
    return known;
  };
  const visit = (node: JsonValue | undefined, path: string): void => {
    if (isArray(node)) for (const item of node) visit(item, path);
    if (!isObject(node)) return;
    const gate = node['x-kindforge-feature-gate'];
    if (typeof gate === 'string') gatedBy(gate).fields.add(path);
    for (const [name, property] of Object.entries(isObject(node.properties) ? node.properties : {}))
      visit(property, `${path}.${name}`);
    visit(node.items, `${path}[]`);
    visit(node.additionalProperties, `${path}{}`);
  };
  for (const { kind, spec } of definitions()) {
    if (kind === 'TypeLibrary' && isObject(spec.types))
      for (const [name, type] of Object.entries(spec.types)) visit(type, name);
    const named = isObject(spec.names) ? String(spec.names.kind) : '';
    if (typeof spec.featureGate === 'string') gatedBy(spec.featureGate).kinds.add(named);
    for (const version of isArray(spec.versions) ? spec.versions : [])
      if (isObject(version) && isObject(version.schema)) visit(version.schema.openAPIV3Schema, named);
  }
  return found;
}

function definitions(): readonly { readonly kind: JsonValue | undefined; readonly spec: JsonObject }[] {
  const files = readdirSync(join(root, 'schemas'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((path) => path.endsWith('.yaml'))
    .flatMap((path) => readYaml(readFileSync(join(root, 'schemas', path), 'utf8')))
    .flatMap((document) =>
      isObject(document) && isObject(document.spec) ? [{ kind: document.kind, spec: document.spec }] : [],
    );
}
