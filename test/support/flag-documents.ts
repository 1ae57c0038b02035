/** Documents about the flags of `kindforge serve`: their page, and the JSON Schema of the configuration file. */
import { configApiVersion, configKind, variableOf } from '../../bin/flags/fill-in.js';
import type { Flag, FlagGroup } from '../../bin/flags/flag.js';
import { projectSettings } from '../../bin/project/project.js';
import { table } from './reference/page.js';

/** Prints the tables of the page, with a heading for each group. */
export const flagTables = (groups: readonly FlagGroup[]): string =>
  groups.map((group) => `## ${group.heading}\n\n${tableOf(group)}\n`).join('\n');

function tableOf({ flags, ...group }: FlagGroup): string {
  const rows = flags.map((flag) => [
    `\`--${flag.name}${flag.value === undefined ? '' : ` ${flag.value}`}\``,
    `\`${variableOf(flag)}\``,
    meaningOf(flag),
    defaultOf(flag),
    `${flag.stability ?? group.stability}, ${flag.since ?? group.since}`,
  ]);
  const head = ['flag', 'variable', 'meaning', 'default', 'stability, since'];
  return table(
    head,
    rows.map((cells) => cells.map(escaped)),
  );
}

const meaningOf = ({ about, deprecated }: Flag): string =>
  deprecated ? `${about}; **deprecated** since ${deprecated.since}: ${deprecated.instead}` : about;

const defaultOf = ({ byDefault, otherwise }: Flag): string => (byDefault ? `\`${byDefault}\`` : (otherwise ?? ''));

/** Escapes angle brackets outside of code, because Markdown takes them for tags. */
const escaped = (cell: string): string =>
  cell.startsWith('`') ? cell : cell.replaceAll(/<[^>]*>/g, (tag) => `\`${tag}\``);

const scalar = { type: ['string', 'number', 'boolean'] };

/** Makes the schema of the configuration file, for editors. */
export function configSchema(groups: readonly FlagGroup[]): object {
  const flags = groups.flatMap(({ flags: ofGroup }) => ofGroup).filter(({ name }) => name !== 'config');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of kindforge serve',
    type: 'object',
    required: ['apiVersion', 'kind'],
    additionalProperties: false,
    properties: {
      apiVersion: { const: configApiVersion },
      kind: { const: configKind },
      ...Object.fromEntries(flags.map((flag) => [flag.name, schemaOf(flag)])),
    },
  };
}

/** Flags that the configuration of a project sets elsewhere, or does not have. */
const notInProjects = new Set(['config', 'project', 'schemas', 'naming']);

const settingsOf = (groups: readonly FlagGroup[]): readonly Flag[] =>
  groups.flatMap(({ flags }) => flags).filter(({ name }) => !notInProjects.has(name));

/**
 * Makes the schema of a project's configuration in YAML, for editors. Its part `serve` is the file of `serve --config`.
 */
export function projectSchema(groups: readonly FlagGroup[]): object {
  const modules = { type: 'array', items: { type: 'string', description: 'path of a module' } };
  const text = { type: 'string' };
  const serve = {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(settingsOf(groups).map((flag) => [flag.name, schemaOf(flag)])),
  };
  const kinds = { folder: text, naming: { enum: ['platform', 'kubernetes'] }, settings: serve };
  // YAML has no functions.
  const properties = Object.entries(projectSettings).flatMap(([key, { kind, about }]) => {
    if (kind === 'function') return [];
    return [[key, { description: about, ...(typeof kind === 'string' ? kinds[kind] : modules) }]];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of a Kindforge project',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  };
}

/** Prints the types of the part `serve`, for the file in `bin/project/`. */
export function serveSettingsFile(groups: readonly FlagGroup[]): string {
  const flags = settingsOf(groups);
  const key = ({ name }: Flag): string => (/^\w+$/.test(name) ? name : `'${name}'`);
  const typeOf = (flag: Flag): string => (kindOf(flag) === 'switch' ? 'boolean' : 'SettingValue');
  return `/** The settings of \`kindforge serve\` in the configuration of a project: its flags. A test writes this file. */

/** A value of a setting. A list becomes text with commas between its items, an object a list of \`name=value\` pairs. */
export type SettingValue =
  | string
  | number
  | boolean
  | readonly (string | number | boolean)[]
  | Readonly<Record<string, string | number | boolean>>;

/** All of them are optional. */
export interface ServeSettings {
${flags.map((flag) => `  /** ${sentence(flag)} */\n  readonly ${key(flag)}?: ${typeOf(flag)};`).join('\n')}
}

/** The kinds of values: \`path\` for files and folders, \`store\` for what may name a folder. */
export const serveSettingKinds: Readonly<Record<keyof ServeSettings, 'switch' | 'text' | 'path' | 'store'>> = {
${flags.map((flag) => `  ${key(flag)}: '${kindOf(flag)}',`).join('\n')}
};
`;
}

function sentence({ about, byDefault }: Flag): string {
  const text = `${about.charAt(0).toUpperCase()}${about.slice(1)}.`;
  return byDefault ? `${text} Default: ${byDefault}.` : text;
}

function kindOf({ value }: Flag): 'switch' | 'text' | 'path' | 'store' {
  if (value === undefined) return 'switch';
  if (value === '<store>') return 'store';
  return value === '<file>' || value === '<dir>' ? 'path' : 'text';
}

function schemaOf({ about, value, byDefault, deprecated }: Flag): object {
  const notes = { ...(byDefault ? { default: byDefault } : {}), ...(deprecated ? { deprecated: true } : {}) };
  if (value === undefined) return { description: about, type: 'boolean', ...notes };
  const list = { type: 'array', items: scalar };
  return { description: about, anyOf: [scalar, list, { type: 'object', additionalProperties: scalar }], ...notes };
}
