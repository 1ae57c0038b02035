/** An emitter of reference pages: a Markdown file for each version of each resource. */
import type { Schema } from 'kindforge/contract';
import type { Emitter, OutputFile, ResourceModel, VersionModel } from 'kindforge/generator';

export const referencePages: Emitter = {
  name: 'reference-pages',
  emitResource: (resource) => resource.versions.map((version) => pageOf(resource, version)),
};

function pageOf(resource: ResourceModel, version: VersionModel): OutputFile {
  const { group, names, scope, source } = resource;
  const lines = [
    `# ${names.kind}`,
    '',
    `\`${names.plural}\` of \`${group === '' ? version.name : `${group}/${version.name}`}\`. Scope: ${scope}.`,
    ...(version.schema.description === undefined ? [] : ['', version.schema.description]),
    '',
    '| field | type | |',
    '|---|---|---|',
    ...fieldsOf(version.schema, '').map((row) => `| ${row.join(' | ')} |`),
    '',
    `Generated from ${source.path}.`,
  ];
  const path = `reference/${group === '' ? 'core' : group}/${version.name}/${names.plural}.md`;
  return { path, content: `${lines.join('\n')}\n` };
}

/** Returns a row for each field; the fields of an object follow its row. Schemas have a few hundred levels at most. */
function fieldsOf({ properties = {}, required = [] }: Schema, path: string): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const here = path === '' ? name : `${path}.${name}`;
    const isRequired = required.includes(name) ? '(required) ' : '';
    return [[`\`${here}\``, typeOf(field), isRequired + (field.description ?? '')], ...fieldsOf(field, here)];
  });
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.type === 'array' && schema.items) return `list of ${typeOf(schema.items)}`;
  return schema.type ?? 'any';
}
