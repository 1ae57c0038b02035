/** Saves an object as a file of the browser. */
import { type DynamicObject, stringifyJson } from 'kindforge/client';

/** Saves it as `KIND-NAME.yaml` or `.json`. */
export async function saveFile(object: DynamicObject, kind: string, form: 'yaml' | 'json'): Promise<void> {
  const text = form === 'json' ? indented(object) : (await import('../../schema/yaml-text.js')).printYaml(object);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(
    new Blob([text], { type: form === 'json' ? 'application/json' : 'application/yaml' }),
  );
  const name = `${kind}-${object.metadata.name}`.toLowerCase().replaceAll(/[^\w.-]/g, '_');
  link.download = `${name}.${form}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Prints with line breaks for people, unless wide integers would lose digits. */
function indented(object: DynamicObject): string {
  try {
    return `${JSON.stringify(object, null, 2)}\n`;
  } catch {
    return stringifyJson(object);
  }
}
