/** Groups with versions that share types, but name each type as if every version had its own. */
const groups: ReadonlySet<string> = new Set([
  'admissionregistration',
  'coordination',
  'flowcontrol',
  'networking',
  'resource',
]);

/** Returns the library of a shared type as documents and messages of a version name it: `resource/v1beta2`. */
export function libraryIn(version: string, library: string): string {
  const [group = ''] = library.split('/');
  return groups.has(group) ? `${group}/${version}` : library;
}
