/** The interface of an emitter. */
import type { Model, ResourceModel } from '../model/model.js';
import type { OutputFile } from '../write/output-file.js';

/** An emitter: one kind of output, a pure function of the model. */
export interface Emitter {
  /** As in `types`, `openapi-v3`. */
  readonly name: string;
  /** Files of one resource; called again only when that resource or a type it uses has changed. */
  readonly emitResource?: (resource: ResourceModel, model: Model) => readonly OutputFile[];
  /** Files that need the whole model. */
  readonly emitModel?: (model: Model) => readonly OutputFile[];
}
