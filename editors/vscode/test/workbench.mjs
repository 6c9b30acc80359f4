export async function runWorkbenchTests() { return { passed: 0, failed: 0 }; }
