/** Chooses the controller that keeps an APIService for each version that definitions have served. */

import { defineDefinitionRegistration } from '../../controllers/index.js';
import type { Controller } from '../../controllers/kit/index.js';
import type { Naming } from '../../runtime/objects/naming.js';

/** The controller where both kinds are served; none where one is missing. */
export function definitionRegistration(
  serves: (group: string, version: string, plural: string) => boolean,
  { rename }: Naming,
): readonly Controller[] {
  const definitions = rename('apiextensions.platform.io');
  const services = rename('apiregistration.platform.io');
  if (!serves(definitions, 'v1', 'customresourcedefinitions') || !serves(services, 'v1', 'apiservices')) return [];
  return [
    defineDefinitionRegistration({ definitions, services, label: rename('kube-aggregator.platform.io/automanaged') }),
  ];
}
