/** Emits how objects of a version become those of the stored one, and back. */
import { printExpressions } from '../../../runtime/cel/index.js';
import { expressionsOf } from '../../../runtime/schema/index.js';
import { convertedSchemas } from '../../model/converted-schemas.js';
import type { ResourceModel, VersionModel } from '../../model/model.js';
import type { OutputFile } from '../../write/output-file.js';
import type { Emitter } from '../emitter.js';
import { headerFor, resourceFolder } from '../layout.js';
import { shareEqual } from '../share-equal.js';
import { printLiteral, toLiteral } from '../source/literal.js';
import { printFile } from '../source/source-file.js';

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
    `\n/** How objects become those of the stored version, and back. */`,
    `${start}${printLiteral(toLiteral(steps), start.length)}${hasOwn ? ', expressions' : ''});`,
  ]);
  return [file];
};

const expressionsFile = (resource: ResourceModel, version: VersionModel): readonly OutputFile[] => {
  const text = printExpressions(stepsOf(version), convertedSchemas(resource, version));
  const path = `${resourceFolder(resource, version)}/expressions.ts`;
  return text === undefined ? [] : [{ path, content: `${headerFor([resource.source])}\n\n${text}` }];
};

export const conversionEmitter: Emitter = {
  name: 'conversion',
  emitResource: (resource) => {
    const { versions } = resource;
    const plain = versions.filter((version) => !hasExpressions(version));
    // Those with expressions are not shared: equal imports in them mean the expressions of different versions.
    const others = versions.filter(hasExpressions);
    return [
      ...shareEqual(plain.flatMap((version) => conversionFile(resource, version))),
      ...others.flatMap((version) => [...conversionFile(resource, version), ...expressionsFile(resource, version)]),
    ];
  },
};
