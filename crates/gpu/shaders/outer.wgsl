// Tiles of four rows and four columns as products are added up in them: a mat4x4 that holds the rows as its columns.

const FOUR: vec4<u32> = vec4<u32>(0u, 1u, 2u, 3u);

// sum + a·bᵀ, of one number of four rows and four columns each.
fn add_outer(sum: mat4x4<f32>, a: vec4<f32>, b: vec4<f32>) -> mat4x4<f32> {
  return mat4x4<f32>(
    fma(vec4<f32>(a.x), b, sum[0]),
    fma(vec4<f32>(a.y), b, sum[1]),
    fma(vec4<f32>(a.z), b, sum[2]),
    fma(vec4<f32>(a.w), b, sum[3]),
  );
}
