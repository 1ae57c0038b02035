/** Has every run try the same random examples, so that a change is not blamed for what chance has found. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.KINDFORGE_SEED ?? 20_231) });
