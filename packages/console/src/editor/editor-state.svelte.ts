/** The state that form and YAML share. The text has the state, and the form shows it. */
import type { DynamicObject } from 'kindforge/client';
import { getContext, setContext } from 'svelte';
import type { EditMode } from '../schema/dry-run.js';
import type { FormNode } from '../schema/form.js';
import { isRecord, keyOfPlace, type Place, withMoved, withRenamed, withValue } from '../schema/place.js';
import { type FieldProblem, placeIn } from '../schema/problems.js';
import { editYaml, isSame, rewriteYaml } from '../schema/yaml-edit.js';
import { moveItem, renameKey } from '../schema/yaml-reorder.js';
import { lineOf, printYaml, type ReadText, readYaml, type YamlError } from '../schema/yaml-text.js';

/** A mark beside a line of the text. */
export interface Mark {
  readonly line: number;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

export class EditorState {
  text: string = $state('');
  /** The value of the text, or the last one without an error. */
  value: DynamicObject = $state.raw(noObject);
  errors: readonly YamlError[] = $state.raw([]);
  problems: readonly FieldProblem[] = $state.raw([]);
  form: FormNode | undefined = $state.raw();
  /** The text at its last reading: a large text is read once the user pauses. */
  #settled: ReadText = $state.raw(readYaml(''));
  mode: EditMode = $state('edit');
  readonly: boolean = $state(false);
  filter: string = $state('');
  onlySet: boolean = $state(false);
  /** The line of the field that has the focus in the form. */
  line: number | undefined = $state();
  #later: ReturnType<typeof setTimeout> | undefined;
  /** Changes of the form that are not in the text yet. */
  readonly #edits: Edit[] = [];

  /** The messages by the place of their field. A message about a missing field is at the nearest field around it. */
  readonly #byPlace = $derived.by(() => {
    const messages = new Map<string, FieldProblem[]>();
    for (const problem of this.problems) {
      const key = keyOfPlace(placeIn(problem.path, this.value));
      messages.set(key, [...(messages.get(key) ?? []), problem]);
    }
    return messages;
  });

  /** The marks of the text: its errors, else the problems of its fields. */
  readonly marks: readonly Mark[] = $derived.by(() => {
    if (this.errors.length > 0) return this.errors.map((error) => ({ ...error, severity: 'error' }));
    const { value } = this;
    const read = this.#settled;
    return this.problems.map(({ path, message, severity = 'error' }) => ({
      line: lineOf(read, placeIn(path, value)),
      message: path === '' ? message : `${path}: ${message}`,
      severity,
    }));
  });

  /** Shows a field in the text. */
  look(place: Place): void {
    if (this.#edits.length > 0) return;
    this.line = lineOf(readYaml(this.text), place);
  }

  problemsAt(place: Place): readonly FieldProblem[] {
    return this.#byPlace.get(keyOfPlace(place)) ?? [];
  }

  /** Returns the number of problems inside a place. */
  problemsIn(place: Place): number {
    const start = keyOfPlace(place).slice(0, -1);
    return [...this.#byPlace].reduce((sum, [key, all]) => (key.startsWith(start) ? sum + all.length : sum), 0);
  }

  /** Takes another object, for example after a save. Changes only the different parts of the text. */
  show(value: DynamicObject): void {
    if (this.text !== '' && isSame(value, this.value) && this.errors.length === 0) return;
    clearTimeout(this.#later);
    this.#edits.length = 0;
    this.text = this.text === '' ? printYaml(value) : rewriteYaml(this.text, value);
    this.#read();
  }

  /** Takes the typed text. The form follows at once, or for a large object once the user pauses. */
  write(text: string): void {
    this.text = text;
    this.#settleSoon();
  }

  #settleSoon(): void {
    clearTimeout(this.#later);
    if (this.text.length <= largeText) this.#settle();
    else this.#later = setTimeout(() => this.#settle(), largeDelayMs);
  }

  /** Writes the changes of the form into the text, and reads it. */
  #settle(): void {
    const edits = this.#edits.splice(0);
    if (readYaml(this.text).errors.length === 0) {
      this.text = edits.reduce((text, { write }) => write(text), this.text);
    }
    this.#read();
  }

  #read(): void {
    this.#settled = readYaml(this.text);
    const { value, errors } = this.#settled;
    const isObject = isDynamicObject(value);
    this.errors = errors.length > 0 || isObject ? errors : [{ line: 1, message: notAnObject }];
    if (isObject && errors.length === 0 && !isSame(value, this.value)) this.value = value;
  }

  /**
   * Sets a field; `undefined` removes it. Does nothing while the text has an error, because the error could get lost.
   */
  set(place: Place, next: unknown): void {
    const replaces = keyOfPlace(place);
    this.#edit(withValue(this.value, place, next), { replaces, write: (text) => editYaml(text, place, next) });
  }

  /** Moves an item of a list one step up or down. */
  move(place: Place, by: 1 | -1): void {
    this.#edit(withMoved(this.value, place, by), { write: (text) => moveItem(text, place, by) });
  }

  /** Gives the entry of a map another key. */
  rename(place: Place, name: string): void {
    this.#edit(withRenamed(this.value, place, name), { write: (text) => renameKey(text, place, name) });
  }

  #edit(value: unknown, edit: Edit): void {
    if (this.readonly || this.errors.length > 0 || value === this.value) return;
    const last = this.#edits.at(-1);
    if (last?.replaces !== undefined && last.replaces === edit.replaces) this.#edits.pop();
    this.#edits.push(edit);
    if (isDynamicObject(value)) this.value = value;
    this.#settleSoon();
  }
}

/** A change of the form. It is written later if the text is large. */
interface Edit {
  /** The place of the change that it replaces. */
  readonly replaces?: string;
  readonly write: (text: string) => string;
}

/** A text with more characters is read only after a pause, and the length of that pause, milliseconds. */
const largeText = 100_000;
const largeDelayMs = 300;

const notAnObject = 'an object has apiVersion, kind and metadata, each as in `apiVersion: v1`';
const noObject: DynamicObject = { apiVersion: '', kind: '', metadata: {} };

const isDynamicObject = (value: unknown): value is DynamicObject =>
  isRecord(value) && typeof value.apiVersion === 'string' && typeof value.kind === 'string' && isRecord(value.metadata);

const key = Symbol('editor');

/** Gives the state to the components below. */
export const provideEditor = (editor: EditorState): EditorState => setContext(key, editor);

/** Returns the state of the editor around a component. */
export const useEditor = (): EditorState => getContext<EditorState>(key);
