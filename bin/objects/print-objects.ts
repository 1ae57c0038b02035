/** Prints objects as JSON, as YAML, as names, or with a template. */
import { DUMP_SCHEMA, dump, intYaml11Tag } from 'js-yaml';
import { type DiscoveredResource, stringifyJson } from '../../client/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import type { OutputFormat } from './output-format.js';
import { fieldsOf, identityOf, type Printing } from './printing.js';
import { fullName } from './resources.js';
import { type RowsView, readTable, rowPrinter, tableOfObjects } from './table.js';

/** Prints several objects as a List, and a single object alone. */
export function printObjects(
  objects: readonly unknown[],
  format: OutputFormat & { readonly kind: 'json' | 'yaml' | 'name' | 'template' },
  single: boolean,
  resources: readonly DiscoveredResource[],
  { out, text }: Printing,
): void {
  if (format.kind === 'name') {
    for (const object of objects) out(`${nameOfKind(object, resources)}/${identityOf(object).name}`);
    return;
  }
  const list = { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items: objects };
  const whole = single ? objects[0] : list;
  if (format.kind === 'template') text(isObject(whole) ? format.fill(whole) : '');
  else out(format.kind === 'json' ? toJson(whole) : toYaml(whole).trimEnd());
}

/** Prints indented JSON; integers past 2^53 keep all their digits. */
export function toJson(value: unknown): string {
  const text = stringifyJson(value);
  return hasBigInt(value) ? text : JSON.stringify(JSON.parse(text), undefined, 2);
}

/** The schema of js-yaml, which has no `bigint`. */
const schema = DUMP_SCHEMA.withTags({
  ...intYaml11Tag,
  identify: (value) => typeof value === 'bigint' || intYaml11Tag.identify(value),
  represent: (value) => (typeof value === 'bigint' ? String(value) : intYaml11Tag.represent(value)),
});

export const toYaml = (value: unknown): string => dump(value, { schema, lineWidth: -1, noRefs: true });

function hasBigInt(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBigInt);
}

function nameOfKind(object: unknown, resources: readonly DiscoveredResource[]): string {
  const { kind } = fieldsOf(object);
  const found = resources.find((resource) => resource.kind === kind) ?? resources[0];
  return found ? fullName(found) : String(kind);
}

/** Prints an object, or a table of objects. */
type PrintEvent = (type: string, object: unknown) => void;

/** Prints a line per event, with its type, for `kindforge watch`. */
export function eventPrinter(format: OutputFormat, resource: string, view: RowsView, printing: Printing): PrintEvent {
  switch (format.kind) {
    case 'json':
      return (type, object) => printing.out(stringifyJson({ type, object }));
    case 'yaml':
      return (type, object) => printing.out(`---\n${toYaml({ type, object }).trimEnd()}`);
    case 'name':
      return (type, object) => printing.out(`${type} ${resource}/${identityOf(object).name}`);
    case 'template':
      return (type, object) => printing.text(isObject(object) ? format.fill({ type, object }) : '');
    default:
      return rowsOf(format, { ...view, events: true }, printing);
  }
}

/** Prints the objects alone, for `kindforge get --watch`. */
export function objectPrinter(format: OutputFormat, resource: string, view: RowsView, printing: Printing): PrintEvent {
  switch (format.kind) {
    case 'json':
      return (_type, object) => printing.out(toJson(object));
    case 'yaml': {
      let divider = '';
      return (_type, object) => {
        printing.out(divider + toYaml(object).trimEnd());
        divider = '---\n';
      };
    }
    case 'name':
      return (_type, object) => printing.out(`${resource}/${identityOf(object).name}`);
    case 'template':
      return (_type, object) => printing.text(isObject(object) ? format.fill(object) : '');
    default:
      return rowsOf(format, view, printing);
  }
}

function rowsOf(
  format: OutputFormat & { readonly kind: 'table' | 'columns' },
  view: RowsView,
  printing: Printing,
): PrintEvent {
  if (format.kind === 'table') {
    const print = rowPrinter({ ...view, wide: format.wide }, printing);
    return (type, object) => print(readTable(object), type);
  }
  const print = rowPrinter({ ...view, namespaces: false }, printing);
  return (type, object) => print(tableOfObjects([object], format.columns), type);
}
