/** Fields that are restricted below `allOf` and its like have to be part of the schema outside of them. */
import type { FieldError } from '../../contract/index.js';
import { required } from '../../objects/field-error.js';
import { junctorLists, propertyOf, schemaAt, schemaListAt, schemasAt, type WrittenSchema } from './reading.js';

/** A rule and the schema of the same value, with the paths of both. The schema is absent where the value has none. */
interface Pair {
  readonly rule: WrittenSchema;
  readonly rulePath: string;
  readonly schema: WrittenSchema | undefined;
  readonly schemaPath: string;
}

/** Errors of fields that only the rules of a schema have. */
export function completenessErrors(root: WrittenSchema, path: string): FieldError[] {
  return rulesOf({ rule: root, rulePath: path, schema: root, schemaPath: path }).flatMap(pairErrors);
}

/** The rules that stand below a rule or schema, on the same value. */
function rulesOf({ rule, rulePath, schema, schemaPath }: Pair): Pair[] {
  const not = schemaAt(rule, 'not');
  const listed = junctorLists.flatMap((key) =>
    schemaListAt(rule, key).map(
      (one, i): Pair => ({ rule: one, rulePath: `${rulePath}.${key}[${i}]`, schema, schemaPath }),
    ),
  );
  return not === undefined ? listed : [{ rule: not, rulePath: `${rulePath}.not`, schema, schemaPath }, ...listed];
}

function pairErrors(pair: Pair): FieldError[] {
  const { rule, rulePath, schema, schemaPath } = pair;
  if (schema === undefined) return [required(schemaPath, `because it is defined in ${rulePath}`)];
  const items = schemaAt(rule, 'items');
  const below: Pair[] = schemasAt(rule, 'properties').map(([name, property]) => {
    const place = `.properties[${name}]`;
    const known = propertyOf(schema, name);
    return { rule: property, rulePath: rulePath + place, schema: known, schemaPath: schemaPath + place };
  });
  if (items !== undefined) {
    const known = schemaAt(schema, 'items');
    below.unshift({ rule: items, rulePath: `${rulePath}.items`, schema: known, schemaPath: `${schemaPath}.items` });
  }
  return [...rulesOf(pair), ...below].flatMap(pairErrors);
}
