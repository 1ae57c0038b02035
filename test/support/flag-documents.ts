/** What is written of the flags of `kindforge serve`: their page, and the JSON Schema of the configuration file. */
import { configApiVersion, configKind } from '../../bin/flags/config-file.js';
import { variableOf } from '../../bin/flags/fill-in.js';
import type { Flag, FlagGroup } from '../../bin/flags/flag.js';

/** The tables of the page, a heading for each group. */
export const flagTables = (groups: readonly FlagGroup[]): string =>
  groups.map(({ heading, flags }) => `## ${heading}\n\n${tableOf(flags)}\n`).join('\n');

function tableOf(flags: readonly Flag[]): string {
  const rows = flags.map((flag) => [
    `\`--${flag.name}${flag.value === undefined ? '' : ` ${flag.value}`}\``,
    `\`${variableOf(flag)}\``,
    meaningOf(flag),
    defaultOf(flag),
    `${flag.stability}, ${flag.since}`,
  ]);
  return [['flag', 'variable', 'meaning', 'default', 'stability, since'], ['---', '---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.map(escaped).join(' | ')} |`)
    .join('\n');
}

const meaningOf = ({ about, deprecated }: Flag): string =>
  deprecated ? `${about}; **deprecated** since ${deprecated.since}: ${deprecated.instead}` : about;

const defaultOf = ({ byDefault, otherwise }: Flag): string => (byDefault ? `\`${byDefault}\`` : (otherwise ?? ''));

/** Angle brackets outside of code would be tags. */
const escaped = (cell: string): string =>
  cell.startsWith('`') ? cell : cell.replaceAll('|', '\\|').replaceAll(/<[^>]*>/g, (tag) => `\`${tag}\``);

const scalar = { type: ['string', 'number', 'boolean'] };

/** The schema of the configuration file, for editors. */
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

function schemaOf({ about, value, byDefault, deprecated }: Flag): object {
  const notes = { ...(byDefault ? { default: byDefault } : {}), ...(deprecated ? { deprecated: true } : {}) };
  if (value === undefined) return { description: about, type: 'boolean', ...notes };
  const list = { type: 'array', items: scalar };
  return { description: about, anyOf: [scalar, list, { type: 'object', additionalProperties: scalar }], ...notes };
}
