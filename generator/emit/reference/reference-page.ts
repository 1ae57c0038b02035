/** Pages of the reference in Markdown: one per group, one per library of types, and the index of both. */
import type { ResourceModel, SharedType, VersionModel } from '../../model/model.js';
import type { OutputFile } from '../../write/output-file.js';
import { apiVersionOf, fileName, groupFolder } from '../layout.js';
import { parseTypeName } from '../shared-types.js';
import { fieldRows, fieldsHead, inTable, type LinkTo } from './reference-fields.js';

const groupName = (group: string): string => (group === '' ? 'core' : group);

/** Path of a group's page below `reference/`. */
export const groupFile = (group: string): string => `${groupFolder(group)}.md`;

/** Path of a library's page below `reference/`. */
export const libraryFile = (library: string): string =>
  `types/${fileName(library.replaceAll('-', '--').replaceAll('/', '-'))}.md`;

const pageOf = (path: string, lines: readonly string[]): OutputFile => ({
  path: `reference/${path}`,
  content: `${lines.join('\n').trimEnd()}\n`,
});

/** The page of a group: its kinds, the versions of each, and their fields. */
export function groupPage(group: string, resources: readonly ResourceModel[]): OutputFile {
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
    ...(rows.length === 0 ? ['No fields but its metadata.'] : [...fieldsHead, ...rows]),
  ];
}

/** The page of a library: its types, each with its fields. */
export function libraryPage(library: string, types: readonly SharedType[]): OutputFile {
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

/** The page that leads to all others. */
export function indexPage(
  groups: ReadonlyMap<string, readonly ResourceModel[]>,
  libraries: readonly string[],
): OutputFile {
  const rows = [...groups].map(([group, resources]) => {
    const kinds = resources.map(({ names }) => `[${names.kind}](${groupFile(group)}#${names.kind.toLowerCase()})`);
    return `| [${groupName(group)}](${groupFile(group)}) | ${kinds.join(', ')} |`;
  });
  const types = libraries.map((library) => `- [${library}](${libraryFile(library)})`);
  return pageOf('README.md', [
    '# Reference',
    '',
    'Every kind with its fields, made from the definitions.',
    '',
    '| group | kinds |',
    '| --- | --- |',
    ...rows,
    ...(types.length === 0 ? [] : ['', 'Types that several kinds share:', '', ...types]),
  ]);
}
