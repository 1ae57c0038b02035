/** Reads an `AuthorizationConfiguration` file, by the rules and in the words of kube-apiserver. */
import { configurationSchema } from '../../plugins/kit.js';
import type { ConfigurationPath } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { type AuthorizationMode, authorizationModes } from '../access-options.js';
import {
  type AccessFileOptions,
  type AccessFileResult,
  accessVersions,
  fieldRefuser,
  type Given,
  type RefuseField,
} from './access-file.js';
import { readPlacedDocument, withoutVersion } from './placed-document.js';
import { type ConfiguredWebhook, readWebhook, webhookFields } from './webhook-of-file.js';

/** One element of `authorizers`. */
export interface ConfiguredAuthorizer {
  readonly type: AuthorizationMode;
  readonly name: string;
  /** Set for the type `Webhook`. */
  readonly webhook?: ConfiguredWebhook | undefined;
}

const introduced = { v1: '1.32', v1beta1: '1.30', v1alpha1: '1.29' };

const { fields, list, optional, text } = configurationSchema;
const authorizer = fields({
  type: optional(text, ''),
  name: optional(text, ''),
  webhook: optional(webhookFields, undefined),
});
const schema = fields({ authorizers: list(authorizer) });

type GivenAuthorizer = Given<typeof authorizer>;

/** Reads the file. `wanted` are types that it must have. */
export function readAuthorizationFile(
  file: string,
  options: AccessFileOptions,
  wanted: readonly AuthorizationMode[] = [],
): AccessFileResult<readonly ConfiguredAuthorizer[]> {
  const problems: string[] = [];
  // Names the fields of a webhook as the reference does: as fields of the authorizer.
  const shown = (path: ConfigurationPath): ConfigurationPath =>
    path[2] === 'webhook' && path.length > 3 ? path.toSpliced(2, 1) : path;
  const { value, refuse, text: content } = readPlacedDocument(file, problems, shown);
  if (problems.length > 0) return { ok: false, problems, text: content };
  const apiVersions = accessVersions(introduced, options.release);
  const given = withoutVersion(value, { apiVersions, kind: 'AuthorizationConfiguration' }, refuse);
  const read = given === undefined ? undefined : schema(given, [], refuse);
  if (!read || problems.length > 0) return { ok: false, problems, text: content };
  const configuration = readAll(read.value.authorizers, options, fieldRefuser(refuse));
  if (problems.length === 0) {
    for (const [index, { type, name }] of configuration.entries()) {
      const expected = type.toLowerCase();
      if (type !== 'Webhook' && name !== expected)
        refuse(['authorizers', index, 'name'], `expected name ${expected} for authorizer ${type} instead of ${name}`);
    }
    const missing = wanted.filter((type) => !configuration.some((one) => one.type === type));
    if (missing.length > 0) refuse(['authorizers'], `missing required types: [${missing.toSorted().join(' ')}]`);
  }
  return problems.length > 0 ? { ok: false, problems, text: content } : { ok: true, configuration, text: content };
}

const isMode = (type: string): type is AuthorizationMode => authorizationModes.some((mode) => mode === type);

function readAll(
  all: readonly GivenAuthorizer[],
  options: AccessFileOptions,
  refuse: RefuseField,
): readonly ConfiguredAuthorizer[] {
  if (all.length === 0) refuse(['authorizers'], required('', 'at least one authorization mode must be defined'));
  const types = new Set<string>();
  const names = new Set<string>();
  return all.flatMap(({ type, name, webhook: given }, index) => {
    const path = ['authorizers', index];
    if (type === '') refuse([...path, 'type'], required(''));
    else if (!isMode(type)) refuse([...path, 'type'], notSupported('', type, authorizationModes));
    else if (types.has(type) && type !== 'Webhook') refuse([...path, 'type'], duplicate('', type));
    else {
      types.add(type);
      checkName(name, names, [...path, 'name'], refuse);
      const read = given && readWebhook(given, [...path, 'webhook'], options, type === 'Webhook' ? refuse : () => {});
      if (type === 'Webhook' && !given) refuse([...path, 'webhook'], required('', 'required when type=Webhook'));
      if (type !== 'Webhook' && given) {
        refuse([...path, 'webhook'], invalidValue('', 'non-null', 'may only be specified when type=Webhook'));
      }
      return [{ type, name, webhook: read }];
    }
    return [];
  });
}

function checkName(name: string, names: Set<string>, path: ConfigurationPath, refuse: RefuseField): void {
  const problems = dns1123Subdomain(name);
  if (name === '') refuse(path, required(''));
  else if (names.has(name)) refuse(path, duplicate('', name));
  else if (problems.length > 0) {
    refuse(path, invalidValue('', name, `authorizer name is invalid: ${problems.join(', ')}`));
  }
  names.add(name);
}
