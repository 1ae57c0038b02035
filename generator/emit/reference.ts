/** Emits the reference in Markdown, a page for each group and each library of types. */
import type { Schema } from '../../runtime/contract/index.js';
import { encodeOpenApiJson } from '../../runtime/schema/openapi/index.js';
import type { Model, ResourceModel, SharedType, VersionModel } from '../model/model.js';
import type { OutputFile } from '../write/output-file.js';
import type { Emitter } from './emitter.js';
import { apiVersionOf, fileName, groupFolder } from './layout.js';
import { librariesOf, parseTypeName } from './shared-types.js';

export const referenceEmitter: Emitter = {
  name: 'reference',
  emitModel: (model) => {
    const groups = groupsOf(model);
    const libraries = librariesOf(model.types);
    return [
      indexPage(groups, [...libraries.keys()]),
      ...[...groups].map(([group, resources]) => groupPage(group, resources)),
      ...[...libraries].map(([library, types]) => libraryPage(library, types)),
    ];
  },
};

function groupsOf({ resources }: Model): ReadonlyMap<string, readonly ResourceModel[]> {
  const groups = new Map<string, ResourceModel[]>();
  for (const resource of resources) {
    const known = groups.get(resource.group);
    if (known === undefined) groups.set(resource.group, [resource]);
    else known.push(resource);
  }
  return groups;
}

const groupName = (group: string): string => (group === '' ? 'core' : group);

/** Returns the path of a group's page below `reference/`. */
const groupFile = (group: string): string => `${groupFolder(group)}.md`;

/** Returns the path of a library's page below `reference/`. */
const libraryFile = (library: string): string =>
  `types/${fileName(library.replaceAll('-', '--').replaceAll('/', '-'))}.md`;

const pageOf = (path: string, lines: readonly string[]): OutputFile => ({
  path: `reference/${path}`,
  content: `${lines.join('\n').trimEnd()}\n`,
});

/** Returns the page of a group: its kinds, their versions, and the fields of each. */
function groupPage(group: string, resources: readonly ResourceModel[]): OutputFile {
  const kinds = resources.flatMap((resource) => ['', ...kindLines(resource)]);
  return pageOf(groupFile(group), [`# ${groupName(group)}`, ...kinds]);
}

function kindLines(resource: ResourceModel): readonly string[] {
  const { names, scope, description, versions } = resource;
  const about = [
    `- resource: \`${names.plural}\`${names.shortNames.length === 0 ? '' : `, short ${list(names.shortNames)}`}`,
    `- scope: ${scope}`,
    `- verbs: ${resource.verbs.join(', ')}`,
    ...(resource.featureGate === undefined ? [] : [`- feature gate: \`${resource.featureGate}\``]),
  ];
  return [
    `## ${names.kind}`,
    ...(description === undefined ? [] : ['', description.trim()]),
    '',
    ...about,
    ...versions.flatMap((version) => ['', ...versionLines(resource, version)]),
  ];
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function versionLines(resource: ResourceModel, version: VersionModel): readonly string[] {
  const { stability, subresources, columns, schema } = version;
  const marks = [
    ...(version.storage ? ['stored'] : []),
    ...(version.served ? [] : ['not served']),
    ...(stability === undefined ? [] : [stability.level]),
    ...(stability?.introduced === undefined ? [] : [`since ${stability.introduced}`]),
    ...(stability?.deprecated === undefined ? [] : [`deprecated in ${stability.deprecated}`]),
    ...(stability?.removed === undefined ? [] : [`removed in ${stability.removed}`]),
  ];
  const rows = fieldRows(schema, linkFrom(''));
  return [
    `### ${resource.names.kind} ${apiVersionOf(resource, version)}`,
    '',
    ...(marks.length === 0 ? [] : [`${marks.join(', ')}.`, '']),
    ...(subresources.length === 0 ? [] : [`Subresources: ${list(subresources.map(({ name }) => name))}.`, '']),
    ...(columns.length === 0 ? [] : [`Columns: ${inTable(columns.map(({ name }) => name).join(', '))}.`, '']),
    ...(rows.length === 0 ? ['Only metadata.'] : [...fieldsHead, ...rows]),
  ];
}

/** Returns the page of a library: its types, and the fields of each. */
function libraryPage(library: string, types: readonly SharedType[]): OutputFile {
  const linkTo = linkFrom('types/');
  const sections = types.flatMap(({ name, schema }) => {
    const rows = fieldRows(schema, linkTo);
    const values = schema.enum === undefined ? [] : ['', `One of ${list(schema.enum.map(String))}.`];
    return [
      '',
      `## ${parseTypeName(name).name}`,
      ...(schema.description === undefined ? [] : ['', schema.description.trim()]),
      ...values,
      ...(rows.length === 0 ? [] : ['', ...fieldsHead, ...rows]),
    ];
  });
  return pageOf(libraryFile(library), [`# Types of ${library}`, ...sections]);
}

const linkFrom =
  (folder: '' | 'types/'): LinkTo =>
  (library) =>
    folder === '' ? libraryFile(library) : libraryFile(library).slice(folder.length);

/** Returns the page with links to all others. */
function indexPage(groups: ReadonlyMap<string, readonly ResourceModel[]>, libraries: readonly string[]): OutputFile {
  const rows = [...groups].map(([group, resources]) => {
    const kinds = resources.map(({ names }) => `[${names.kind}](${groupFile(group)}#${names.kind.toLowerCase()})`);
    return `| [${groupName(group)}](${groupFile(group)}) | ${kinds.join(', ')} |`;
  });
  const types = libraries.map((library) => `- [${library}](${libraryFile(library)})`);
  return pageOf('README.md', [
    '# Reference',
    '',
    'All kinds with their fields, generated from the definitions.',
    '',
    '| group | kinds |',
    '| --- | --- |',
    ...rows,
    ...(types.length === 0 ? [] : ['', 'Types that several kinds share:', '', ...types]),
  ]);
}

/** Returns the path from the current page to the page of a library. */
type LinkTo = (library: string) => string;

/** Head of a table of fields. */
const fieldsHead: readonly string[] = ['| field | type | description |', '| --- | --- | --- |'];

/** Maximum depth of objects with documented fields. */
const DEEPEST = 12;

/** The parts of a kind. The page of the kind documents their fields, even if their type has a name. */
const parts: ReadonlySet<string> = new Set(['spec', 'status']);

/** Returns a row for each field, followed by the rows of its object, unless that is a shared type with its own page. */
function fieldRows(schema: Schema, linkTo: LinkTo, path = '', depth = 0): readonly string[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const here = path === '' ? name : `${path}.${name}`;
    const notes = [field.description ?? '', ...remarksOn(field), required.includes(name) ? 'Required.' : ''];
    const row = `| ${codeInTable(here)} | ${typeText(field, linkTo)} | ${inTable(notes.filter(Boolean).join(' '))} |`;
    const isPart = path === '' && parts.has(name);
    return [row, ...(isPart ? fieldRows(field, linkTo, here, 1) : innerRows(field, linkTo, here, depth + 1))];
  });
}

function innerRows(field: Schema, linkTo: LinkTo, path: string, depth: number): readonly string[] {
  if (field['x-kindforge-type'] !== undefined || depth > DEEPEST) return [];
  if (field.items) return innerOrOwn(field.items, linkTo, `${path}[]`, depth);
  if (typeof field.additionalProperties === 'object') {
    return innerOrOwn(field.additionalProperties, linkTo, `${path}{}`, depth);
  }
  return fieldRows(field, linkTo, path, depth);
}

const innerOrOwn = (part: Schema, linkTo: LinkTo, path: string, depth: number): readonly string[] =>
  part['x-kindforge-type'] === undefined ? innerRows(part, linkTo, path, depth) : [];

/** Lists constraints of a schema, and the releases that have the field. */
function remarksOn(field: Schema): readonly string[] {
  const remarks: string[] = [];
  if (field.default !== undefined) remarks.push(`Default: ${code(inTable(encodeOpenApiJson(field.default)))}.`);
  if (field['x-kindforge-immutable']) remarks.push('Immutable.');
  const gate = field['x-kindforge-feature-gate'];
  if (gate !== undefined) remarks.push(`Feature gate: \`${gate}\`.`);
  const { 'x-kindforge-introduced': introduced, 'x-kindforge-removed': removed } = field;
  if (introduced !== undefined) remarks.push(`Since ${introduced}.`);
  if (removed !== undefined) remarks.push(`Removed in ${removed}.`);
  return remarks;
}

function typeText(field: Schema, linkTo: LinkTo): string {
  const shared = field['x-kindforge-type'];
  if (shared !== undefined) {
    const { library, name } = parseTypeName(shared);
    return `[${name}](${linkTo(library)}#${name.toLowerCase()})`;
  }
  if (field['x-kubernetes-int-or-string'] === true) return 'integer or string';
  if (field.enum) return field.enum.map((value) => codeInTable(String(value))).join(', ');
  if (field.type === 'array') return `list of ${typeText(field.items ?? {}, linkTo)}`;
  if (typeof field.additionalProperties === 'object') return `map of ${typeText(field.additionalProperties, linkTo)}`;
  return field.type ?? 'any';
}

/** Returns a text as code, inside more backticks than it contains. */
const code = (text: string): string => {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return fence + pad + text + pad + fence;
};

const codeInTable = (text: string): string => code(inTable(text));

/** Returns a text as a cell: on one line, without characters that end a cell. */
const inTable = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
