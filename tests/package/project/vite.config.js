export default { base: './', optimizeDeps: { exclude: ['attention-playground'] } };
