/**
 * The cluster roles of kinds that are not built in: parts of `view`, `edit` and `admin`, so that these have rights on
 * the kinds.
 */
import type { JsonObject, KindAccess, Verb } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';

/** The facts about a kind that its roles need. */
export interface KindFacts {
  /** The served group. */
  readonly group: string;
  readonly plural: string;
  readonly verbs: readonly Verb[];
  /** The names of its subresources. */
  readonly subresources: readonly string[];
  readonly access?: KindAccess | undefined;
}

/** A role of a kind, in its wanted form. */
export interface KindRole {
  readonly metadata: { readonly name: string; readonly labels: { [key: string]: string } };
  readonly rules: JsonObject[];
}

/** The source of the kind. For each source, another part of the server keeps the roles up to date. */
export type KindSource = 'definition' | 'custom-resource';

/** The label of the roles; its value is the source of the kind. */
export const kindRoleLabel = 'kindforge.dev/roles-of-kind';

const levels = ['view', 'edit', 'admin'] as const;

const readingVerbs: readonly Verb[] = ['get', 'list', 'watch'];
const writingVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'patch', 'update'];

/** Returns the name of a role, by its kind and the role that it is part of. */
export const kindRoleName = (resource: string, level: string): string => `kindforge:${resource}:${level}`;

/** Returns the resource from the name of a role, as in `widgets.shop.example.com`; empty for other names. */
export const resourceOfRole = (name: string): string => /^kindforge:([^:]+):[a-z]+$/.exec(name)?.[1] ?? '';

/** Returns the roles of a kind: one for each of `view`, `edit` and `admin` that gets rights on it. */
export function kindRoles(kind: KindFacts, source: KindSource, { rename }: Naming): readonly KindRole[] {
  const { read = 'view', write = 'edit' } = kind.access ?? {};
  return levels.flatMap((level): readonly KindRole[] => {
    const rules = [
      ...(read === level ? ruleFor(kind, readingVerbs, () => true) : []),
      // As in the built-in roles, people may not write the status.
      ...(write === level ? ruleFor(kind, writingVerbs, (name) => name !== 'status') : []),
    ];
    if (rules.length === 0) return [];
    const labels = {
      [kindRoleLabel]: source,
      [rename(`rbac.authorization.platform.io/aggregate-to-${level}`)]: 'true',
    };
    return [{ metadata: { name: kindRoleName(`${kind.plural}.${kind.group}`, level), labels }, rules }];
  });
}

function ruleFor(
  { group, plural, verbs, subresources }: KindFacts,
  wanted: readonly Verb[],
  covers: (subresource: string) => boolean,
): readonly JsonObject[] {
  const allowed = wanted.filter((verb) => verbs.includes(verb));
  if (allowed.length === 0) return [];
  const paths = subresources.filter(covers).map((name) => `${plural}/${name}`);
  return [{ apiGroups: [group], resources: [plural, ...paths].sort(), verbs: allowed }];
}
