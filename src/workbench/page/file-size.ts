/** Files come to the page's server one by one, each whole in memory. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;
