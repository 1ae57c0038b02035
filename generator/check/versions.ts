/** Rules on the versions of a resource: their names, the stored version, and how long they live. */
import { get, list, string } from '../../runtime/schema/read.js';
import type { Report } from '../diagnostics/problem.js';
import type { ResourceModel } from '../model/model.js';
import type { Definition } from './document-kind.js';
import { checkLife } from './life.js';

const PATH = ['spec', 'versions'];
/** Maximum bytes of a warning in UTF-8, as in kube-apiserver. */
const LONGEST_WARNING = 256;

/** Checks the versions of a definition against each other, and the life of each. */
export function checkVersions({ value }: Definition, resource: ResourceModel, report: Report): void {
  checkStorage(resource, report);
  const first = new Map<string, number>();
  resource.versions.forEach(({ name }, index) => {
    const before = first.get(name);
    if (before === undefined) first.set(name, index);
    else if (name !== '')
      report({ code: 'KF4008', path: [...PATH, index, 'name'], message: `version "${name}" is written twice` });
  });
  list(get(get(value, 'spec'), 'versions')).forEach((version, index) => {
    checkLife(get(version, 'stability'), resource, index, report);
    if (resource.decoding === 'structural') checkWarning(version, index, report);
  });
}

function checkStorage({ versions, virtual, storedAs }: ResourceModel, report: Report): void {
  const stored = versions.flatMap((version, index) => (version.storage ? [index] : []));
  if (virtual || storedAs) {
    const message = virtual
      ? 'objects of a virtual kind are not stored, so no version can have storage: true'
      : 'objects are stored as another resource, so no version can have storage: true';
    for (const index of stored) report({ code: 'KF4007', path: [...PATH, index, 'storage'], message });
    return;
  }
  if (stored.length === 1) return;
  if (stored.length === 0) {
    const first = versions[0]?.name;
    const suggestion = first === undefined ? 'write a version' : `write \`storage: true\` in version ${first}`;
    report({
      code: 'KF4007',
      path: PATH,
      at: 'key',
      message: 'no version has `storage: true`',
      suggestion,
    });
    return;
  }
  const names = stored.map((index) => versions[index]?.name).join(', ');
  for (const index of stored.slice(1)) {
    const message = `objects can be stored in one version only, not in ${names}`;
    report({ code: 'KF4007', path: [...PATH, index, 'storage'], message });
  }
}

/** Checks the warning of a CustomResourceDefinition's version. Native versions have `deprecation`. */
function checkWarning(version: ReturnType<typeof get>, index: number, report: Report): void {
  const warning = string(get(version, 'deprecationWarning'));
  if (warning === undefined) return;
  const say = (message: string): void =>
    report({ code: 'KF4017', path: [...PATH, index, 'deprecationWarning'], message });
  if (get(version, 'deprecated') !== true) say('only a deprecated version can have a deprecation warning');
  if (warning.trim() === '') say('the warning is empty');
  else if (Buffer.byteLength(warning) > LONGEST_WARNING) say(`a warning can have at most ${LONGEST_WARNING} bytes`);
  else if (!/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u.test(warning)) say('a warning can hold printable characters only');
}
