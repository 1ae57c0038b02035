/** Policies, bindings and a server with them, for the tests of the plugin. */

import { defineValidatingAdmissionPolicy } from '../../../../../plugins/index.js';
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  Failure,
  JsonObject,
} from '../../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../../runtime/objects/names/naming.js';
import { emulate, type Release } from '../../../../../runtime/objects/release.js';
import { hostOf, type TestHost } from '../../../../support/admission-host.js';
import { runPlugin } from '../../../../support/admission-suite.js';
import { moduleOf } from '../../../../support/modules.js';
import { configMaps, contextWith, namespaces, object } from '../attributes.js';

const group = 'admissionregistration.platform.io';

export const policyModule = moduleOf(group, 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy', {
  version: 'v1alpha1',
  scope: 'Cluster',
});
export const bindingModule = moduleOf(group, 'validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', {
  version: 'v1alpha1',
  scope: 'Cluster',
});
/** A resource that is served in two versions. */
export const olderWidgets = moduleOf('shop.example.com', 'widgets', 'Widget', {
  version: 'v1beta1',
  subresources: [
    { name: 'status', verbs: ['update'], writes: ['status'], writesMetadata: false },
    {
      name: 'paint',
      verbs: ['create'],
      writes: [],
      writesMetadata: false,
      kind: { group: 'paint.example.com', version: 'v1', kind: 'Coat' },
    },
  ],
});
export const widgets = { ...olderWidgets, version: 'v1' };
export const limits = moduleOf('shop.example.com', 'limits', 'Limit', { scope: 'Cluster' });

export const modules = [configMaps, namespaces, policyModule, bindingModule, widgets, olderWidgets, limits];

/** A rule for all requests about ConfigMaps. */
export const aboutConfigMaps: JsonObject = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['*'],
  resources: ['configmaps'],
};

/** Makes a policy about ConfigMaps, unless its spec says otherwise. */
export const policy = (spec: JsonObject, name = 'rule.example.com'): ApiObject => ({
  apiVersion: `${group}/v1alpha1`,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name, generation: 1 },
  spec: {
    failurePolicy: 'Fail',
    ...spec,
    matchConstraints: { matchPolicy: 'Equivalent', resourceRules: [aboutConfigMaps], ...matchOf(spec) },
  },
});

const matchOf = ({ matchConstraints }: JsonObject): JsonObject =>
  typeof matchConstraints === 'object' && matchConstraints !== null && !Array.isArray(matchConstraints)
    ? matchConstraints
    : {};

export const binding = (spec: JsonObject = {}, name = 'bound', policyName = 'rule.example.com'): ApiObject => ({
  apiVersion: `${group}/v1alpha1`,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName, validationActions: ['Deny'], ...spec },
});

/** The outcome of a request. */
export interface Led {
  readonly failure: Failure | undefined;
  readonly warnings: readonly string[];
  readonly notes: Readonly<Record<string, string>>;
}

/** A server with the plugin. */
export interface Served {
  readonly host: TestHost;
  readonly plugin: ReturnType<typeof defineValidatingAdmissionPolicy>;
  ask(attributes: AdmissionAttributes, context?: Partial<AdmissionContext>): Promise<Led>;
}

/** Starts the plugin of a release, by default 1.27. */
export function serve(
  policies: readonly ApiObject[],
  bindings: readonly ApiObject[] = [binding()],
  release: Release = emulate('1.27'),
): Served {
  const host = hostOf(modules);
  const plugin = defineValidatingAdmissionPolicy(platformNaming, { release });
  plugin.start?.(host);
  for (const one of policies) host.put('validatingadmissionpolicies', one);
  for (const one of bindings) host.put('validatingadmissionpolicybindings', one);
  return {
    host,
    plugin,
    async ask(attributes, context = {}) {
      const warnings: string[] = [];
      const notes: Record<string, string> = {};
      const failure = await runPlugin(plugin, attributes, {
        ...contextWith({ team: 'Active' }),
        warn: (text) => warnings.push(text),
        annotate: (key, value) => {
          notes[key] ??= value;
        },
        ...context,
      });
      return { failure, warnings, notes };
    },
  };
}

/** Makes a ConfigMap with these data. */
export const configMap = (data?: JsonObject, name = 'a', more: JsonObject = {}): ApiObject =>
  object({ kind: 'ConfigMap', metadata: { name, namespace: 'team', ...more }, ...(data ? { data } : {}) });

/** Returns the end of the message of a refusal, which names policy and binding. */
export const saying = ({ failure }: Led): string | undefined => failure?.message.replace(/^.* denied request: /, '');
