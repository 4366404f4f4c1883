/** The colour of every outline of Simmer. */
export const INK = '#43141f';
