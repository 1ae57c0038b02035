/** Emits the conversion of a version to the stored one, and back. */
import { printExpressions } from '../../runtime/cel/index.js';
import { expressionsOf } from '../../runtime/schema/index.js';
import { convertedSchemas } from '../model/conversion.js';
import type { ResourceModel, VersionModel } from '../model/model.js';
import type { OutputFile } from '../write/output-file.js';
import type { Emitter } from './emitter.js';
import { headerFor, importPath, resourceFolder } from './layout.js';
import { printLiteral, toLiteral } from './source/literal.js';
import { printFile } from './source/source-file.js';

export const conversionEmitter: Emitter = {
  name: 'conversion',
  emitResource: (resource) => {
    const { versions } = resource;
    const plain = versions.filter((version) => !hasExpressions(version));
    // Does not share files with expressions: the same imports there mean expressions of other versions.
    const others = versions.filter(hasExpressions);
    return [
      ...shareEqual(plain.flatMap((version) => conversionFile(resource, version))),
      ...others.flatMap((version) => [...conversionFile(resource, version), ...expressionsFile(resource, version)]),
    ];
  },
};

const stepsOf = ({ conversion }: VersionModel) => conversion?.steps ?? [];

const hasExpressions = (version: VersionModel): boolean => expressionsOf(stepsOf(version)).length > 0;

const conversionFile = (resource: ResourceModel, version: VersionModel): readonly OutputFile[] => {
  const steps = stepsOf(version);
  if (steps.length === 0) return [];
  const hasOwn = hasExpressions(version);
  const start = 'export const conversion: Conversion = defineConversion(';
  const file = printFile(`${resourceFolder(resource, version)}/conversion.ts`, headerFor([resource.source]), [
    "import { type Conversion, defineConversion } from 'kindforge/contract';",
    ...(hasOwn ? ["import { expressions } from './expressions.js';"] : []),
    `\n/** Converts objects to the stored version, and back. */`,
    `${start}${printLiteral(toLiteral(steps), start.length)}${hasOwn ? ', expressions' : ''});`,
  ]);
  return [file];
};

const expressionsFile = (resource: ResourceModel, version: VersionModel): readonly OutputFile[] => {
  const text = printExpressions(stepsOf(version), convertedSchemas(resource, version));
  const path = `${resourceFolder(resource, version)}/expressions.ts`;
  return text === undefined ? [] : [{ path, content: `${headerFor([resource.source])}\n\n${text}` }];
};

// Prints equal files of several versions of a kind once: the others re-export the first.

/** Returns the files as their importers see them. All are equally deep, so the same imports mean the same. */
export function shareEqual(files: readonly OutputFile[]): readonly OutputFile[] {
  const homes = new Map<OutputFile['content'], string>();
  return files.map((file) => {
    const home = homes.get(file.content);
    if (home !== undefined) return reExport(file, home);
    homes.set(file.content, file.path);
    return file;
  });
}

function reExport({ path, content }: OutputFile, home: string): OutputFile {
  const text = String(content);
  const header = text.slice(0, text.indexOf('\n\n'));
  const folder = path.slice(0, path.lastIndexOf('/'));
  return { path, content: `${header}\n\nexport * from '${importPath(folder, home)}';\n` };
}
