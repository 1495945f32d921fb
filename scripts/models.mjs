// What ./dev models does with files: takes a model's out of an unpacked package, keeps those that are what models.json beside this script says,
// and puts them beside a page with the list that the page reads.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LIST = 'models.json';

/** The models that can be had, by id. A licence is that of the weights: of MiniLM the package's model card says it, of SmolLM2 its metadata. */
export const MODELS = JSON.parse(await readFile(new URL(LIST, import.meta.url), 'utf8'));

export function modelOf(id, models = MODELS) {
  if (Object.hasOwn(models, id)) return models[id];
  throw new Error(`there is no model '${id}': ${Object.keys(models).join(', ')}`);
}

async function sumOf(path) {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest('hex');
}

/** Refuses a file that is not the one that is pinned. */
async function check(path, { bytes, sha256 }) {
  const found = await sumOf(path);
  if (found !== sha256) throw new Error(`${path} has the SHA-256 ${found}, not ${sha256} (${bytes} bytes)`);
}

const fileIn = (folder, id, { from }) => join(folder, id, basename(from));

/** Whether `cache` has every file of a model, as it is pinned. */
export async function isKept(id, cache, models = MODELS) {
  const checks = modelOf(id, models).files.map((file) => check(fileIn(cache, id, file), file));
  return (await Promise.allSettled(checks)).every(({ status }) => status === 'fulfilled');
}

async function put(from, to, transfer) {
  await mkdir(dirname(to), { recursive: true });
  await rm(to, { force: true });
  // On another file system it can neither be moved nor linked.
  await transfer(from, to).catch(() => copyFile(from, to));
}

/** Takes a model's files out of `unpacked`, its package, into `cache`: all of them or none. */
export async function keep(id, unpacked, cache, models = MODELS) {
  const { files } = modelOf(id, models);
  for (const file of files) await check(join(unpacked, file.from), file);
  for (const file of files) await put(join(unpacked, file.from), fileIn(cache, id, file), rename);
}

/** What the list says of a model. */
export function entry(id, models = MODELS) {
  const { name, licence, files } = modelOf(id, models);
  const told = files.map((file) => ({ name: file.name, path: `models/${id}/${basename(file.from)}`, bytes: file.bytes, sha256: file.sha256 }));
  return { name, id, files: told, licence };
}

/** The list with these entries: each in the place of the one with its id, or at the end. Every other model stays as its host wrote it. */
export function merged(list, entries) {
  const ids = list.models.map(({ id }) => id);
  const replaced = list.models.map((own) => entries.find(({ id }) => id === own.id) ?? own);
  return { ...list, models: [...replaced, ...entries.filter(({ id }) => !ids.includes(id))] };
}

async function listIn(path) {
  const text = await readFile(path, 'utf8').catch(({ code }) => {
    if (code === 'ENOENT') return '{ "models": [] }';
    throw new Error(`${path} cannot be read (${code})`);
  });
  try {
    const list = JSON.parse(text);
    if (Array.isArray(list.models)) return list;
  } catch {
    // Said below.
  }
  throw new Error(`${path} is not a list of models, { "models": [ … ] }: mend it or move it away`);
}

/** Puts models from `cache` into `folder`, where the page is, and into its list. */
export async function offer(ids, cache, folder, models = MODELS) {
  const path = join(folder, LIST);
  await mkdir(folder, { recursive: true });
  const list = merged(await listIn(path), ids.map((id) => entry(id, models)));
  for (const id of ids) {
    for (const file of modelOf(id, models).files) await put(fileIn(cache, id, file), join(folder, 'models', id, basename(file.from)), link);
  }
  await writeFile(path, `${JSON.stringify(list, null, 2)}\n`);
}

const COMMANDS = {
  /** The package of each model that is not kept yet: id, name, version. */
  missing: async (cache, ...ids) => {
    for (const id of ids) {
      const { package: name, version } = modelOf(id);
      if (!(await isKept(id, cache))) console.log(id, name, version);
    }
  },
  keep: (cache, id, unpacked) => keep(id, unpacked, cache),
  offer: (cache, folder, ...ids) => offer(ids, cache, folder),
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command, ...given] = process.argv.slice(2);
  await COMMANDS[command](...given).catch(({ message }) => {
    console.error(`error: ${message}`);
    process.exitCode = 1;
  });
}
