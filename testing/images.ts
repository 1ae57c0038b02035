/** The images of the process: those of the build if there is one, else images that it makes itself. */
import { readFile } from 'node:fs/promises';
import type { StartOptions } from '../server/index.js';
import type { Image } from './image.js';

type NamingId = NonNullable<StartOptions['naming']>;

const known = new Map<NamingId, Promise<Image>>();

/** Returns the image of a naming. It is immutable, and shared by all servers of the process. */
export function imageFor(naming: NamingId): Promise<Image> {
  const image = known.get(naming) ?? readImage(naming);
  known.set(naming, image);
  return image;
}

/** Returns the name of the file in which the build keeps the image of a naming. */
export const imageFile = (naming: NamingId): string => `image-${naming}.json`;

async function readImage(naming: NamingId): Promise<Image> {
  try {
    // In the build, this module is in the file of the command, which has its own folder. The sources have none.
    const text = await readFile(new URL(`../testing/${imageFile(naming)}`, import.meta.url), 'utf8');
    const image: Image = JSON.parse(text);
    return image;
  } catch {
    const { makeImage } = await import('./make-image.js');
    return makeImage(naming);
  }
}
