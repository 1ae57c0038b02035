/** Emits the reference in Markdown, a page for each group and each library of types; prints again only what has changed. */
import type { Model, ResourceModel } from '../../model/model.js';
import type { OutputFile } from '../../write/output-file.js';
import type { Emitter } from '../emitter.js';
import { librariesOf } from '../shared-types.js';
import { groupPage, indexPage, libraryPage } from './reference-page.js';

interface Printed {
  /** The input of the page. */
  readonly from: readonly unknown[];
  readonly file: OutputFile;
}

/** An emitter that keeps the pages whose resources and types are still the same. */
export function createReferenceEmitter(): Emitter {
  let printed = new Map<string, Printed>();
  return {
    name: 'reference',
    emitModel(model) {
      const next = new Map<string, Printed>();
      const print = (key: string, from: readonly unknown[], make: () => OutputFile): void => {
        const before = printed.get(key);
        const same = before?.from.length === from.length && before.from.every((item, index) => item === from[index]);
        next.set(key, before !== undefined && same ? before : { from, file: make() });
      };
      const groups = groupsOf(model);
      const libraries = librariesOf(model.types);
      print('index', [...model.resources, ...libraries.keys()], () => indexPage(groups, [...libraries.keys()]));
      for (const [group, resources] of groups) print(`group ${group}`, resources, () => groupPage(group, resources));
      for (const [library, types] of libraries) {
        const from = types.flatMap(({ name, schema }) => [name, schema]);
        print(`library ${library}`, from, () => libraryPage(library, types));
      }
      printed = next;
      return [...next.values()].map(({ file }) => file);
    },
  };
}

function groupsOf({ resources }: Model): ReadonlyMap<string, readonly ResourceModel[]> {
  const groups = new Map<string, ResourceModel[]>();
  for (const resource of resources) {
    const known = groups.get(resource.group);
    if (known === undefined) groups.set(resource.group, [resource]);
    else known.push(resource);
  }
  return groups;
}
