/** Groups with versions that share types. Each version names the types as its own. */
const groups: ReadonlySet<string> = new Set([
  'admissionregistration',
  'coordination',
  'flowcontrol',
  'networking',
  'resource',
]);

/** Returns the library of a shared type as in documents and messages of a version: `resource/v1beta2`. */
export function libraryIn(version: string, library: string): string {
  const [group = ''] = library.split('/');
  return groups.has(group) ? `${group}/${version}` : library;
}
