// Shared by the suites of both browsers.

/** Runs in every page: what the page's own policy forbids becomes an error in the console, in every browser. */
export function tellViolations() {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample, sourceFile, lineNumber }) => {
    console.error(`policy: ${effectiveDirective} forbids ${blockedURI} ${sample} (${sourceFile}:${lineNumber})`);
  });
}
