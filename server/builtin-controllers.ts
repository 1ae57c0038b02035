/** The controllers that come with the server, under the names that options call them by. */
import {
  type Controller,
  defaultAccount,
  defineRoleAggregation,
  runNamespaceController,
} from '../controllers/index.js';
import { gatheredRules } from '../plugins/index.js';
import type { ResourceIndex } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';

/** The resources of a server, and the names it has them under. */
export interface Served {
  readonly resources: Pick<ResourceIndex, 'find'>;
  readonly naming: Naming;
}

/** Makes a controller for a server; none where the server lacks the resource that it is about. */
type Maker = (served: Served) => Controller | undefined;

const namespace: Maker = ({ resources }) =>
  resources.find('', 'v1', 'namespaces') && { name: 'namespace', run: runNamespaceController };

const serviceAccount: Maker = ({ resources }) =>
  resources.find('', 'v1', 'serviceaccounts') && resources.find('', 'v1', 'namespaces') && defaultAccount;

const roleAggregation: Maker = ({ resources, naming }) => {
  const group = naming.rename('rbac.authorization.platform.io');
  if (resources.find(group, 'v1', 'clusterroles') === undefined) return undefined;
  return defineRoleAggregation({
    group,
    gather: gatheredRules,
  });
};

const makers: ReadonlyMap<string, Maker> = new Map([
  ['namespace', namespace],
  ['serviceaccount', serviceAccount],
  ['clusterrole-aggregation', roleAggregation],
]);

export const controllerNames: readonly string[] = [...makers.keys()];

/** The controller of a name, made for a server that has what it is about. */
export const builtinController = (name: string, served: Served): Controller | undefined => makers.get(name)?.(served);
