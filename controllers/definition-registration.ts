/** Keeps an APIService for each version that definitions serve, as for built-in versions. */
import { type ApiObjectLike, createResourceClient, defineResource, isAlreadyExists } from '../client/index.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

/** The fields of a CustomResourceDefinition about its versions. */
interface Definition extends ApiObjectLike {
  spec?: { group?: string; versions?: { name: string; served?: boolean }[] };
}

interface APIService extends ApiObjectLike {
  spec?: { group: string; version: string; groupPriorityMinimum: number; versionPriority: number };
}

/** Names as they are served. */
export interface RegistrationNames {
  /** The group of definitions. */
  readonly definitions: string;
  /** The group of APIServices. */
  readonly services: string;
  /** The label of the APIServices that this controller owns. */
  readonly label: string;
}

/** The same priority for all versions of definitions, after the built-in versions. */
const priorities = { groupPriorityMinimum: 1000, versionPriority: 100 } as const;

const cluster = { version: 'v1', scope: 'Cluster', subresources: [] } as const;

/** Defines the controller. A key is the name of an APIService: a version, a dot and a group. */
export function defineDefinitionRegistration({ definitions: group, services, label }: RegistrationNames): Controller {
  const definitions = defineResource<Definition>()({
    ...cluster,
    group,
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
  } as const);
  const apiServices = defineResource<APIService>()({
    ...cluster,
    group: services,
    plural: 'apiservices',
    kind: 'APIService',
  } as const);
  return defineController({
    name: 'definition-registration',
    watches: [
      watch(definitions, { keysOf: (definition) => servedBy(definition).map(({ name }) => name) }),
      watch(apiServices, { labelSelector: `${label}=true` }),
    ],
    async reconcile(name, { client, cacheOf, signal }) {
      const wanted = [...cacheOf(definitions).values()].flatMap(servedBy).find((each) => each.name === name);
      const found = cacheOf(apiServices).get(name);
      const all = createResourceClient(apiServices, client);
      if (wanted === undefined) {
        const { uid } = found?.metadata ?? {};
        if (uid !== undefined) await all.delete(name, { preconditions: { uid }, signal }).catch(ignoreNotFound);
        return;
      }
      const spec = { ...wanted.spec, ...priorities };
      if (found === undefined) {
        // Does not change an APIService that another client has created under this name.
        await all.create({ metadata: { name, labels: { [label]: 'true' } }, spec }, { signal }).catch(ignoreTaken);
      } else if (!isSame(found.spec, spec)) await all.update({ ...found, spec }, { signal }).catch(ignoreNotFound);
    },
  });
}

/** Returns the versions that a definition serves, by the names of their APIServices. */
function servedBy({ spec = {} }: Definition) {
  const { group = '', versions = [] } = spec;
  const served = versions.filter((each) => each.served === true);
  return served.map(({ name: version }) => ({ name: `${version}.${group}`, spec: { group, version } }));
}

/** Returns whether a spec has exactly the wanted fields. Any other field, such as `service`, is a difference. */
const isSame = (found: APIService['spec'], wanted: NonNullable<APIService['spec']>): boolean =>
  found !== undefined &&
  Object.keys(found).length === Object.keys(wanted).length &&
  found.group === wanted.group &&
  found.version === wanted.version &&
  found.groupPriorityMinimum === wanted.groupPriorityMinimum &&
  found.versionPriority === wanted.versionPriority;

function ignoreTaken(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
