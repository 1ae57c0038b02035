/** Prints objects one after the other, as a watch tells of them. */
import { stringifyJson } from '../../../client/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import type { Printing } from '../printing.js';
import { identityOf } from '../values.js';
import { toJson, toYaml } from './objects.js';
import type { OutputFormat } from './output-format.js';
import { type RowsView, rowPrinter, tableOfObjects } from './rows.js';
import { readTable } from './table.js';

/** Prints an object, or a table of some. */
export type PrintEvent = (type: string, object: unknown) => void;

/** A line per event, with its type: for `kindforge watch`. */
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

/** The objects alone, as they are: for `kindforge get --watch`. */
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
