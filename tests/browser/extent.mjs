// How much the long tests do: a short piece in `./dev test`, all of it in `./dev soak`.

export const isSoak = Boolean(process.env.SOAK);

/** `short`, or `long` where `SOAK` is set, or what the variable `name` of the environment says. */
export const extent = (name, { short, long }) => Number(process.env[name] ?? (isSoak ? long : short));

/** All of a list in `./dev soak`; in `./dev test` only what `isTested` holds for. */
export const subset = (all, isTested) => (isSoak ? all : all.filter(isTested));

/** Files that are tested in `./dev soak` alone. */
export const inSoak = (...all) => subset(all, () => false);

/** A `test` that is one in `./dev soak` alone. */
export const soakOnly = (test) => (isSoak ? test : () => {});
