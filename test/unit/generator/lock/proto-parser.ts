/** A small reader of `.proto` files for tests. It accepts the part of proto2 that our files use. */

export interface ProtoField {
  readonly label: string;
  readonly type: string;
  readonly number: number;
  readonly jsonName?: string;
}

export interface ProtoFile {
  readonly package: string;
  readonly imports: readonly string[];
  readonly messages: Readonly<Record<string, Readonly<Record<string, ProtoField>>>>;
  readonly reserved: Readonly<Record<string, readonly number[]>>;
}

const field = /^ {2}(optional|repeated) ([.\w]+) ([A-Za-z]\w*) = (\d+)(?: \[json_name = ("(?:[^"\\]|\\.)*")\])?;$/;
const mapField = /^ {2}(map<string, [.\w]+>) ([A-Za-z]\w*) = (\d+)(?: \[json_name = ("(?:[^"\\]|\\.)*")\])?;$/;

/** Throws at the first invalid line, and for a name or number that is used twice. */
export function parseProto(text: string): ProtoFile {
  const imports: string[] = [];
  const messages: Record<string, Record<string, ProtoField>> = {};
  const reserved: Record<string, number[]> = {};
  let name = '';
  let packageName = '';
  let current: string | undefined;
  for (const line of text.split('\n')) {
    if (line === '' || /^ *\/\/ /.test(line) || line === 'syntax = "proto2";') continue;
    const isPackage = /^package ([\w.]+);$/.exec(line);
    const isImport = /^import "([^"]+)";$/.exec(line);
    const isMessage = /^message ([A-Za-z]\w*) \{$/.exec(line);
    const isReserved = /^ {2}reserved ((?:\d+)(?:, \d+)*);$/.exec(line);
    if (isPackage?.[1] !== undefined) packageName = isPackage[1];
    else if (isImport?.[1] !== undefined) imports.push(isImport[1]);
    else if (isMessage?.[1] !== undefined && current === undefined) {
      name = isMessage[1];
      current = name;
      if (messages[name] !== undefined) throw new Error(`message ${name} twice`);
      messages[name] = {};
    } else if (line === '}' && current !== undefined) current = undefined;
    else if (isReserved?.[1] !== undefined) reserved[name] = isReserved[1].split(', ').map(Number);
    else if (/^ {2}reserved "\w+"(?:, "\w+")*;$/.test(line)) continue;
    else addField(line, messages[name] ?? {}, reserved[name] ?? []);
  }
  if (current !== undefined) throw new Error(`message ${current} has no end`);
  return { package: packageName, imports, messages, reserved };
}

function addField(line: string, fields: Record<string, ProtoField>, reserved: readonly number[]): void {
  const plain = field.exec(line);
  const map = mapField.exec(line);
  const [label, type, name, number, json] = plain?.slice(1) ?? ['map', ...(map?.slice(1) ?? [])];
  if (label === undefined || type === undefined || name === undefined) throw new Error(`not a field: ${line}`);
  const taken = [...Object.values(fields).map((each) => each.number), ...reserved];
  if (taken.includes(Number(number))) throw new Error(`number used twice: ${line}`);
  if (fields[name] !== undefined) throw new Error(`name used twice: ${line}`);
  fields[name] = {
    label,
    type,
    number: Number(number),
    ...(json === undefined ? {} : { jsonName: json.slice(1, -1) }),
  };
}

/** Throws for a reference to a message that no file has, or that is in a file without an import. */
export function checkReferences(files: ReadonlyMap<string, ProtoFile>): void {
  for (const [path, file] of files) {
    const visible = [file, ...file.imports.map((each) => files.get(each))];
    for (const [message, fields] of Object.entries(file.messages)) {
      for (const { type } of Object.values(fields)) {
        const name = /\.[\w.]+/.exec(type)?.[0];
        if (name === undefined) continue;
        const owner = visible.find(
          (each) => each !== undefined && `.${each.package}` === name.slice(0, name.lastIndexOf('.')),
        );
        const found = owner?.messages[name.slice(name.lastIndexOf('.') + 1)] !== undefined;
        if (!found) throw new Error(`${path}: ${message} refers to ${name}, which is not there`);
      }
    }
  }
}
