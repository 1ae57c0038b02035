/** The operations of discovery. */

import { capitalize, groupTag, type OpenApiNaming, operationGroup, typeId } from './naming.js';
import type { Route } from './route.js';

/** Returns the route that lists the resources of a group version. */
export function groupVersionRoute(group: string, version: string, naming: OpenApiNaming): Route {
  const path = group === '' ? `/api/${version}/` : `/apis/${group}/${version}/`;
  const id = `get${operationGroup(group, naming)}${capitalize(version)}APIResources`;
  const tag = `${groupTag(group, naming)}_${version}`;
  return discoveryRoute(path, id, tag, 'list the resources of a group version', 'APIResourceList', naming);
}

/** Returns the route that lists the versions of a group. */
export function groupRoute(group: string, naming: OpenApiNaming): Route {
  const tag = groupTag(group, naming);
  if (group === '') {
    return discoveryRoute('/api/', 'getCoreAPIVersions', tag, 'list the core versions', 'APIVersions', naming);
  }
  const id = `get${operationGroup(group, naming)}APIGroup`;
  return discoveryRoute(`/apis/${group}/`, id, tag, 'describe a group', 'APIGroup', naming);
}

/** Returns the route that lists all groups. */
export function groupsRoute(naming: OpenApiNaming): Route {
  return discoveryRoute('/apis/', 'getAPIVersions', 'apis', 'list the groups', 'APIGroupList', naming);
}

/** Returns the route of the server's version. */
export function versionRoute(naming: OpenApiNaming): Route {
  const route = discoveryRoute('/version/', 'getCodeVersion', 'version', 'version of the server', 'Info', naming);
  return { ...route, consumes: ['application/json'], produces: ['application/json'] };
}

function discoveryRoute(
  path: string,
  operationId: string,
  tag: string,
  description: string,
  type: string,
  naming: OpenApiNaming,
): Route {
  const mediaTypes = ['application/json', 'application/yaml', naming.protobufMediaType];
  return {
    path,
    method: 'get',
    operationId,
    tag,
    description,
    parameters: [],
    consumes: mediaTypes,
    produces: mediaTypes,
    answers: [{ code: '200', definition: typeId({ library: 'meta/v1', name: type }, naming) }],
  };
}
