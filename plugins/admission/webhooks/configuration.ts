/** The configuration of the plugins of webhooks: a `WebhookAdmissionConfiguration`. */
import { isAbsolute } from 'node:path';
import { checked, fields, optional, text } from '../configuration/schema.js';
import type { ConfigurationDefinition } from '../define-admission-plugin.js';
import type { WebhookCalls } from './calls.js';

export interface WebhookConfiguration {
  /** Path of a kubeconfig whose users are credentials by the names of webhooks; empty where there is none. */
  readonly kubeConfigFile: string;
}

export function webhookConfiguration({
  checkCredentials,
}: Pick<WebhookCalls, 'checkCredentials'>): ConfigurationDefinition<WebhookConfiguration> {
  const file = checked(text, (path, at, refuse) => {
    if (!isAbsolute(path)) return refuse(at, `${JSON.stringify(path)} is no absolute path; give one`);
    const problem = checkCredentials(path);
    if (problem !== undefined) refuse(at, `${path} cannot be used: ${problem}`);
  });
  return {
    apiVersions: ['apiserver.config.platform.io/v1', 'apiserver.config.platform.io/v1alpha1'],
    kind: 'WebhookAdmissionConfiguration',
    schema: fields({ kubeConfigFile: optional(file, '') }),
    byDefault: { kubeConfigFile: '' },
  };
}
