/** Emits the rules of resource versions, compiled. */
import { printRules } from '../../runtime/cel/index.js';
import type { VersionModel } from '../model/model.js';
import type { Emitter } from './emitter.js';
import { headerFor, resourceFolder } from './layout.js';

const printed = new WeakMap<VersionModel, { readonly text: string | undefined }>();

const rulesText = (version: VersionModel): string | undefined => {
  const known = printed.get(version) ?? { text: printRules(version.schema) };
  printed.set(version, known);
  return known.text;
};

/** Whether there is a `rules.ts` beside the module. */
export const hasRules = (version: VersionModel): boolean => rulesText(version) !== undefined;

export const rulesEmitter: Emitter = {
  name: 'rules',
  emitResource: (resource) =>
    resource.versions.flatMap((version) => {
      const text = rulesText(version);
      const path = `${resourceFolder(resource, version)}/rules.ts`;
      return text === undefined ? [] : [{ path, content: `${headerFor([resource.source])}\n\n${text}` }];
    }),
};
