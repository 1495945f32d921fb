// How much the long tests do: a short piece in `./dev test`, all of it in `./dev soak`.

/** `short`, or `long` where `SOAK` is set, or what the variable `name` of the environment says. */
export const extent = (name, { short, long }) => Number(process.env[name] ?? (process.env.SOAK ? long : short));
