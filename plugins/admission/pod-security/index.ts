/** PodSecurity: pods keep to the level that their namespace asks for. */
import type { AdmissionPlugin } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { defineAdmissionPlugin } from '../define-admission-plugin.js';
import { handlesObjects } from '../handled.js';
import { podSecurityConfiguration, withoutConfiguration } from './configuration.js';
import { judgeNamespace } from './namespaces.js';
import { hasPodTemplate } from './pod-templates.js';
import { judgePod, judgeWorkload } from './pods.js';
import { settingsOf } from './settings.js';

const isNamespaces = handlesObjects('', 'namespaces', 'CREATE', 'UPDATE');
const isPods = handlesObjects('', 'pods', 'CREATE', 'UPDATE');

export function definePodSecurity(names: Naming): AdmissionPlugin {
  let settings = settingsOf(names, withoutConfiguration);
  return defineAdmissionPlugin({
    name: 'PodSecurity',
    configuration: podSecurityConfiguration,
    start(host, configuration) {
      settings = settingsOf(names, configuration, host.observer);
    },
    handles: (resource, operation, subresource) =>
      isNamespaces(resource, operation, subresource) ||
      // An ephemeral container is added through a subresource, which has the whole pod.
      isPods(resource, operation, subresource === 'ephemeralcontainers' ? '' : subresource) ||
      (hasPodTemplate(resource) && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')),
    validate(attributes, context) {
      const { plural } = attributes.resource.names;
      if (plural === 'namespaces') return judgeNamespace(settings, attributes, context);
      if (plural === 'pods') return judgePod(settings, attributes, context);
      judgeWorkload(settings, attributes, context);
      return undefined;
    },
  });
}
