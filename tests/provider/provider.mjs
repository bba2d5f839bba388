// An OpenID provider with one client and its own development login: node provider.mjs PORT REDIRECT_URI...
// It has a new key each time it starts. People are whoever they type; their claims depend on nothing else.
import { generateKeyPairSync, randomUUID } from "node:crypto";
import Provider from "oidc-provider";

const [port, ...redirectUris] = process.argv.slice(2);
const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
const claims = (id) => ({ sub: id, preferred_username: id, email: `${id}@example.edu`, email_verified: true });
const provider = new Provider(`http://localhost:${port}`, {
  clients: [{ client_id: "candor", client_secret: "a secret: %, + and &", redirect_uris: redirectUris,
    id_token_signed_response_alg: "ES256" }],
  jwks: { keys: [{ ...key, use: "sig", alg: "ES256", kid: randomUUID() }] },
  cookies: { keys: [randomUUID()] },
  pkce: { required: () => true },
  claims: { profile: ["preferred_username"], email: ["email", "email_verified"] },
  conformIdTokenClaims: false, // in the ID token, as most providers have them
  findAccount: (_, id) => ({ accountId: id, claims: () => claims(id) }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("listening"));
