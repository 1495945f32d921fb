// The same layer as an ONNX graph of plain operators. Of the fused ones, MultiHeadAttention returns scores only and was slower here
// with a softmax behind it, and Attention (opset 23), which returns weights, has no WebGPU kernel in the version that is pinned.

import protobuf from 'protobufjs';
import { weightsOf } from '../inputs.mjs';

// The part of onnx.proto that this graph needs; names and numbers are the format's.
const { root } = protobuf.parse(`syntax = "proto3";
  message Model { int64 ir_version = 1; repeated Opset opset_import = 8; string producer_name = 2; Graph graph = 7; }
  message Opset { string domain = 1; int64 version = 2; }
  message Graph {
    repeated Node node = 1; string name = 2; repeated Tensor initializer = 5;
    repeated Value input = 11; repeated Value output = 12;
  }
  message Node {
    repeated string input = 1; repeated string output = 2;
    string name = 3; string op_type = 4; repeated Attribute attribute = 5;
  }
  message Attribute { string name = 1; int64 i = 3; repeated int64 ints = 8; int32 type = 20; }
  message Tensor { repeated int64 dims = 1; int32 data_type = 2; string name = 8; bytes raw_data = 9; }
  message Value { string name = 1; Type type = 2; }
  message Type { TensorType tensor_type = 1; }
  message TensorType { int32 elem_type = 1; Shape shape = 2; }
  message Shape { repeated Dimension dim = 1; }
  message Dimension { int64 dim_value = 1; }`);

const FLOAT = 1;
const INT64 = 7;
const TYPE_INT = 2;
const TYPE_INTS = 7;

const tensor = (name, dims, data) => ({
  name,
  dims,
  dataType: data instanceof BigInt64Array ? INT64 : FLOAT,
  rawData: new Uint8Array(data.buffer),
});
const value = (name, dims) => ({
  name,
  type: { tensorType: { elemType: FLOAT, shape: { dim: dims.map((dimValue) => ({ dimValue })) } } },
});
const attribute = (name, value) => (Array.isArray(value) ? { name, type: TYPE_INTS, ints: value } : { name, type: TYPE_INT, i: value });
const node = (opType, input, output, attributes = {}) => ({
  opType,
  name: output,
  input,
  output: [output],
  attribute: Object.entries(attributes).map(([name, value]) => attribute(name, value)),
});

/** 0 where a key is visible and a number that no score can outweigh elsewhere. */
const causalBias = (n) => Float32Array.from({ length: n * n }, (_, at) => (at % n > Math.floor(at / n) ? -1e9 : 0));

/** x·w by head: [heads, n, d_k], or transposed to [heads, d_k, n]. */
const projected = (name, perm) => [
  node('MatMul', ['x', `w_${name}`], `${name}_rows`),
  node('Reshape', [`${name}_rows`, 'by_head'], `${name}_by_head`),
  node('Transpose', [`${name}_by_head`], name, { perm }),
];

function graph({ n, dModel, heads, dK }) {
  const matrices = Object.entries(weightsOf({ dModel })).map(([name, data]) => tensor(name, [dModel, dModel], data));
  return {
    name: 'attention',
    input: [value('x', [n, dModel])],
    output: [value('weights', [heads, n, n]), value('output', [n, dModel])],
    initializer: [
      ...matrices,
      tensor('by_head', [3], BigInt64Array.of(BigInt(n), BigInt(heads), BigInt(dK))),
      tensor('side_by_side', [2], BigInt64Array.of(BigInt(n), BigInt(dModel))),
      tensor('scale', [], Float32Array.of(1 / Math.sqrt(dK))),
      tensor('bias', [n, n], causalBias(n)),
    ],
    node: [
      ...projected('q', [1, 0, 2]),
      ...projected('k', [1, 2, 0]),
      ...projected('v', [1, 0, 2]),
      node('Mul', ['q', 'scale'], 'q_scaled'),
      node('MatMul', ['q_scaled', 'k'], 'scores'),
      node('Add', ['scores', 'bias'], 'masked'),
      node('Softmax', ['masked'], 'weights', { axis: -1 }),
      node('MatMul', ['weights', 'v'], 'context'),
      node('Transpose', ['context'], 'context_rows', { perm: [1, 0, 2] }),
      node('Reshape', ['context_rows', 'side_by_side'], 'merged'),
      node('MatMul', ['merged', 'w_o'], 'output'),
    ],
  };
}

/** The bytes of a model for a shape; fixed shapes let the runtime choose its kernels beforehand. */
export function model(shape) {
  const Model = root.lookupType('Model');
  return Model.encode(Model.fromObject({ irVersion: 9, opsetImport: [{ domain: '', version: 20 }], graph: graph(shape) })).finish();
}
