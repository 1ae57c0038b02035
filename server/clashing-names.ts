/** Finds names that definitions share with other kinds of their group. Within a group, each name means one resource. */
import type { ResourceModule } from '../runtime/contract/index.js';

/** Describes the first name of the definitions that is already taken; `undefined` if there is none. */
export function clashOf(others: readonly ResourceModule[], defined: readonly ResourceModule[]): string | undefined {
  const taken = new Map<string, ResourceModule>();
  for (const module of others) for (const name of namesOf(module)) taken.set(`${module.group} ${name.key}`, module);
  for (const module of defined) {
    for (const { key, text } of namesOf(module)) {
      const holder = taken.get(`${module.group} ${key}`);
      if (holder === undefined || holder.names.plural === module.names.plural) continue;
      const where = module.source === undefined ? '' : ` in ${module.source}`;
      return `${idOf(module)}${where} has the name "${text}", which is one of ${idOf(holder)} already`;
    }
  }
  return undefined;
}

/** Returns the names of a resource and of its kind. A resource and a kind may have the same name. */
function namesOf({ names, verbs }: ResourceModule): readonly { readonly key: string; readonly text: string }[] {
  const isResource = verbs.length > 0;
  const resources = isResource ? [names.plural, names.singular, ...names.shortNames] : [];
  const kinds = verbs.includes('list') ? [names.kind, names.listKind] : [names.kind];
  return [
    ...resources.map((text) => ({ key: `resource ${text}`, text })),
    ...kinds.map((text) => ({ key: `kind ${text}`, text })),
  ];
}

const idOf = ({ group, names }: ResourceModule): string => (group === '' ? names.plural : `${names.plural}.${group}`);
