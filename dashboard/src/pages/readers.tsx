export function ReadersPage() { return null; }
