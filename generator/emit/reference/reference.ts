/** Emits the reference in Markdown, a page for each group and each library of types. */
import type { Model, ResourceModel } from '../../model/model.js';
import type { Emitter } from '../emitter.js';
import { librariesOf } from '../shared-types.js';
import { groupPage, indexPage, libraryPage } from './reference-page.js';

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
