/** StorageVersion: its name, the versions that servers may report, and its columns. */
import { defineStorageVersionHandlers } from '../../generated/internal.apiserver.platform.io/v1alpha1/storageversions/handlers.js';
import type {
  ServerStorageVersion,
  StorageVersionCondition,
  StorageVersionStatus,
} from '../../generated/types/apiserverinternal/v1alpha1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, required, stringList } from '../../runtime/objects/field-error.js';
import {
  dns1035Label,
  dns1123Subdomain,
  prefixEach,
  qualifiedNameCheck,
} from '../../runtime/objects/names/name-checks.js';

type Server = Draft<ServerStorageVersion>;
type Status = Draft<StorageVersionStatus>;

export const defineStorageVersions = (): KindHandlers =>
  defineStorageVersionHandlers({
    updateChecks: [],
    validateName: nameProblems,
    validate: ({ status }, { subresource }) => (subresource === 'status' ? statusErrors(status) : []),
    columns: {
      CommonEncodingVersion: ({ status }) => status?.commonEncodingVersion || '<unset>',
      StorageVersions: ({ status }) => serversText(status?.storageVersions),
    },
  });

/** A name consists of a group, a dot and a resource. */
function nameProblems(name: string): readonly string[] {
  const dot = name.lastIndexOf('.');
  if (dot === -1) return ['name must be in the form of <group>.<resource>'];
  return [
    ...prefixEach('the group segment ', dns1123Subdomain(name.slice(0, dot))),
    ...prefixEach('the resource segment ', dns1035Label(name.slice(dot + 1))),
  ];
}

function statusErrors(status: Status = {}): readonly FieldError[] {
  const { storageVersions = [], commonEncodingVersion, conditions = [] } = status;
  return [
    ...storageVersions.flatMap((server, i) => serverErrors(server, `status.storageVersions[${i}]`)),
    ...commonErrors(commonEncodingVersion, storageVersions),
    ...conditionErrors(conditions),
  ];
}

function serverErrors(
  { apiServerID: id = '', encodingVersion: encoding = '', decodableVersions }: Server,
  field: string,
): readonly FieldError[] {
  const decodable = decodableVersions ?? [];
  const missing = `decodableVersions must include encodingVersion ${encoding}`;
  return [
    ...dns1123Subdomain(id).map((problem) => invalidValue(`${field}.apiServerID`, id, problem)),
    ...versionErrors(encoding, `${field}.encodingVersion`),
    ...decodable.flatMap((version, i) => versionErrors(version, `${field}.decodableVersions[${i}]`)),
    ...(decodable.includes(encoding)
      ? []
      : [invalidValue(`${field}.decodableVersions`, stringList(decodable), missing)]),
  ];
}

const versionRule =
  "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', " +
  'start with an alphabetic character, and end with an alphanumeric character ' +
  "(e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') " +
  "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')";

function versionErrors(text: string, field: string): readonly FieldError[] {
  const parts = text.split('/', 3);
  const version = parts.at(-1) ?? '';
  const group = parts.length === 2 ? [...partProblems('group part: ', parts[0] ?? '', dns1123Subdomain)] : [];
  const problems =
    parts.length > 2 ? [versionRule] : [...group, ...partProblems('version part: ', version, dns1035Label)];
  return problems.length === 0 ? [] : [invalidValue(field, text, problems.join(','))];
}

const partProblems = (prefix: string, text: string, check: (text: string) => readonly string[]): readonly string[] =>
  prefixEach(prefix, text === '' ? ['must be non-empty'] : check(text));

/** The common version is set if and only if all servers agree. */
function commonErrors(told: string | undefined, servers: readonly Server[]): readonly FieldError[] {
  const field = 'status.commonEncodingVersion';
  const versions = new Set(servers.map(({ encodingVersion = '' }) => encodingVersion));
  const [common] = versions.size === 1 ? versions : [];
  if (told === common) return [];
  if (common === undefined) {
    const rule =
      'should be nil if servers do not agree on the same encoding version, ' +
      'or if there is no server reporting the supported versions yet';
    return [invalidValue(field, told, rule)];
  }
  const rule = told === undefined ? 'the common encoding version is' : 'the actual common encoding version is';
  return [invalidValue(field, told, `${rule} ${common}`)];
}

function conditionErrors(conditions: readonly Draft<StorageVersionCondition>[]): readonly FieldError[] {
  const seen = new Map<string, number>();
  return conditions.flatMap(({ type = '', status = '', reason, message }, i) => {
    const field = `status[${i}]`;
    const before = seen.get(type);
    seen.set(type, i);
    const again = `the type of the condition is not unique, it also appears in conditions[${before}]`;
    return [
      ...(before === undefined ? [] : [invalidValue(`${field}.type`, type, again)]),
      ...qualifiedNameCheck(type).map((problem) => invalidValue(`${field}.type`, type, problem)),
      ...qualifiedNameCheck(status).map((problem) => invalidValue(`${field}.status`, type, problem)),
      ...(reason ? [] : [required(`${field}.reason`, 'reason cannot be empty')]),
      ...(message ? [] : [required(`${field}.message`, 'message cannot be empty')]),
    ];
  });
}

/** The most servers that are listed; the rest is counted. */
const maxShown = 3;

function serversText(servers: readonly Server[] = []): string {
  if (servers.length === 0) return '<unset>';
  const shown = servers
    .slice(0, maxShown)
    .map(({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`);
  const more = servers.length > maxShown ? `, ${servers.length - maxShown} more...` : '';
  return `${shown.join(',')}${more}`;
}
