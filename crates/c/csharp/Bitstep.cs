// bitstep for C#: drop this file into a Unity or Godot project, and the library beside it (libbitstep_c.so, bitstep_c.dll or
// libbitstep_c.dylib). Over the C interface, whose header says what each function does; C# 7.3, no package needed.
//
// Objects are disposed, or freed by the collector. A call that fails throws BitstepException. Scalars are raw fixed point: the number
// times 2^32; Bitstep.Lit("0.1") makes one. Structs are as in C and are passed without copies; nothing here allocates in a tick: arrays are
// the caller's, and functions return how much of them they filled.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace BitstepPhysics
{
    public enum Code
    {
        Ok, Argument, Handle, Size, Buffer, Range, Refused, Data, NoBody, Order, Panic, Poisoned
    }

    public sealed class BitstepException : Exception
    {
        public readonly Code Code;
        public BitstepException(Code code, string words) : base(words) { Code = code; }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Vec3
    {
        public long X, Y, Z;
        public Vec3(long x, long y, long z) { X = x; Y = y; Z = z; }
        public static Vec3 Lit(string x, string y, string z) { return new Vec3(Bitstep.Lit(x), Bitstep.Lit(y), Bitstep.Lit(z)); }
    }

    // Unit quaternion: each component times 2^30.
    [StructLayout(LayoutKind.Sequential)]
    public struct Rotation
    {
        public int W, X, Y, Z;
        public static readonly Rotation Identity = new Rotation { W = 1 << 30 };
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Body { public ulong Id; }

    [StructLayout(LayoutKind.Sequential)]
    public struct Collider { public uint IsStatic, Index; public Body Body; }

    // Of 128 bits; ToString gives the 32 digits that all programs print.
    [StructLayout(LayoutKind.Sequential)]
    public struct Checksum : IEquatable<Checksum>
    {
        public ulong Low, High;
        public bool Equals(Checksum other) { return Low == other.Low && High == other.High; }
        public override bool Equals(object other) { return other is Checksum && Equals((Checksum)other); }
        public override int GetHashCode() { return Low.GetHashCode(); }
        public override string ToString() { return High.ToString("x16") + Low.ToString("x16"); }
    }

    public enum ShapeKind : uint { Sphere, Aabb, Obb, Capsule, Plane }
    public enum BodyType : uint { Dynamic, Kinematic, Static }
    public enum OnHit : uint { Continue, Stop, Remove }
    public enum EventKind : uint { Begin, Enter, Hit, Exit, End }
    public enum CommandKind : uint
    {
        Remove = 1, Teleport, MoveKinematic, SetVelocity, ApplyImpulse, ApplyImpulseAt, ApplyAngularImpulse, SetAngularVelocity,
        SetGravity, SetShape, SetFilter, SetLayers, SetLocks, SetDamping, Freeze, Drive, EndDrive, SetOnHit, SetDominance, IgnorePair,
        SetSleep, SetUser, SetHeights
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Shape
    {
        uint size;
        public ShapeKind Kind; public long Radius; public Vec3 Half; public Rotation Rotation;
        static Shape Of(ShapeKind kind, long radius, Vec3 half, Rotation rotation)
        {
            return new Shape { size = Native.Size<Shape>.Value, Kind = kind, Radius = radius, Half = half, Rotation = rotation };
        }
        public static Shape Sphere(long radius) { return Of(ShapeKind.Sphere, radius, new Vec3(), Rotation.Identity); }
        public static Shape Aabb(Vec3 half) { return Of(ShapeKind.Aabb, 0, half, Rotation.Identity); }
        public static Shape Obb(Vec3 half, Rotation rotation) { return Of(ShapeKind.Obb, 0, half, rotation); }
        public static Shape Capsule(Vec3 halfAxis, long radius) { return Of(ShapeKind.Capsule, radius, halfAxis, Rotation.Identity); }
        public static Shape Plane(Vec3 normal) { return Of(ShapeKind.Plane, 0, normal, Rotation.Identity); }
    }

    // Of points, whose origin is a place: a body has the position place + rotation * Center and the orientation rotation * Axes.
    [StructLayout(LayoutKind.Sequential)]
    public struct Hull
    {
        uint size;
        public uint Corners; public Vec3 Center; public Rotation Axes;
        internal static Hull Sized { get { return new Hull { size = Native.Size<Hull>.Value }; } }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Static
    {
        uint size;
        public uint Shape, Material, Layer; public Vec3 Position;
        public static Static Of(uint shape, uint material, Vec3 position)
        {
            return new Static { size = Native.Size<Static>.Value, Shape = shape, Material = material, Position = position };
        }
    }

    // One of the shapes of a compound; a layer of OfBody is that of the body.
    [StructLayout(LayoutKind.Sequential)]
    public struct ChildShape
    {
        public const uint OfBody = uint.MaxValue;
        public uint Shape, Layer; public Vec3 Offset;
        public static ChildShape Of(uint shape, Vec3 offset, uint layer = OfBody)
        {
            return new ChildShape { Shape = shape, Layer = layer, Offset = offset };
        }
    }

    // The faces of a box by its own axes, and the front of a mesh.
    public enum Face : uint { PlusX, MinusX, PlusY, MinusY, PlusZ, MinusZ, Front }

    // What was found in a mesh; Points, Triangles and Materials are numbers of those that it has.
    [StructLayout(LayoutKind.Sequential)]
    public struct MeshReport
    {
        uint size;
        public uint Points, Triangles, Materials, Facets, Rounded, Merged, Unused, Degenerate, Repeated, CrowdedEdges, TJunctions;
        public uint OpenEdges, FlatEdges, BentEdges;
        internal static MeshReport Sized { get { return new MeshReport { size = Native.Size<MeshReport>.Value }; } }
    }

    // Cells of ground: the number of a material, 0 to 126, to which OtherDiagonal may be added, or Hole.
    public static class Cell { public const byte Hole = 127, OtherDiagonal = 128; }

    [StructLayout(LayoutKind.Sequential)]
    struct MeshArrays { internal uint size, PointCount, TriangleCount, Reserved; internal IntPtr Points, Triangles, Materials; }

    [StructLayout(LayoutKind.Sequential)]
    struct HeightArrays { internal uint size, Columns, Rows, Reserved; internal long Cell, Unit; internal IntPtr Heights, Cells; }

    // Arrays that stay where they are until it is disposed.
    sealed class Pins : IDisposable
    {
        readonly List<GCHandle> held = new List<GCHandle>();
        // Zero for no array and an empty one.
        internal IntPtr Of(Array array)
        {
            if (array == null || array.Length == 0) return IntPtr.Zero;
            held.Add(GCHandle.Alloc(array, GCHandleType.Pinned));
            return held[held.Count - 1].AddrOfPinnedObject();
        }
        public void Dispose() { foreach (GCHandle handle in held) handle.Free(); }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Limits
    {
        uint size;
        public uint TickRate, Substeps, MassMax, BodiesMax, Budget, PairsMax, Flat, SleepAfter, Reserved;
        public long Extent, SpeedMax, SizeMax, RestSpeed, SeparationSpeed;
        public static Limits At(uint tickRate)
        {
            Limits limits;
            Native.Check(Native.bitstep_limits_init(tickRate, out limits));
            return limits;
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Spawn
    {
        uint size;
        public uint Shape, Material; public BodyType BodyType;
        public uint Mass, Layer, Group, Locks, DampingQ16; public OnHit OnHit;
        public uint Dominance, Rotates, AllowOverlap, Reserved; public ulong User;
        public Vec3 Position, Velocity, AngularVelocity; public Rotation Orientation;
        public static Spawn Of(uint shape, Vec3 position)
        {
            Spawn spawn;
            Native.Check(Native.bitstep_spawn_init(shape, out spawn));
            spawn.Position = position;
            return spawn;
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct BodyState
    {
        internal uint size;
        public uint Shape; public Body Body;
        public Vec3 Position, Velocity, Momentum, AngularVelocity; public Rotation Orientation;
        public uint Mass; public BodyType BodyType; public uint Layer, IsAsleep, Frozen, Rotates; public ulong User;
    }

    // Fields that a kind does not name are not read; the header says which it names.
    [StructLayout(LayoutKind.Sequential)]
    public struct Command
    {
        uint size;
        public CommandKind Kind; public Body Body; public Vec3 Vector, Point; public Rotation Rotation; public long Scalar;
        public Collider Other; public ulong User; public uint Number, Second, Third, AllowOverlap, Columns, Rows;
        HeightRow first, second, third, fourth, fifth, sixth, seventh, eighth;
        public static Command Of(CommandKind kind, Body body, Vec3 vector = default(Vec3), uint number = 0)
        {
            return new Command { size = Native.Size<Command>.Value, Kind = kind, Body = body, Vector = vector, Number = number };
        }
        // Up to 8 rows of up to 8 heights of a ground, from its point at a column and a row on.
        public static Command SetHeights(uint ground, uint column, uint row, short[,] heights, bool lift = false)
        {
            Command made = Of(CommandKind.SetHeights, new Body(), new Vec3(), ground);
            made.Second = column;
            made.Third = row;
            made.AllowOverlap = lift ? 1u : 0u;
            made.Columns = (uint)heights.GetLength(1);
            made.Rows = (uint)heights.GetLength(0);
            made.first = HeightRow.Of(heights, 0);
            made.second = HeightRow.Of(heights, 1);
            made.third = HeightRow.Of(heights, 2);
            made.fourth = HeightRow.Of(heights, 3);
            made.fifth = HeightRow.Of(heights, 4);
            made.sixth = HeightRow.Of(heights, 5);
            made.seventh = HeightRow.Of(heights, 6);
            made.eighth = HeightRow.Of(heights, 7);
            return made;
        }
    }

    // Eight heights of 16 bits, the first one lowest.
    [StructLayout(LayoutKind.Sequential)]
    struct HeightRow
    {
        ulong left, right;
        // Zeros for a row that there is not. Of one that is too long no command is accepted.
        internal static HeightRow Of(short[,] heights, int row)
        {
            HeightRow made = new HeightRow();
            int columns = row < heights.GetLength(0) ? Math.Min(heights.GetLength(1), 8) : 0;
            for (int column = 0; column < columns; column++)
            {
                ulong height = (ulong)(ushort)heights[row, column] << column % 4 * 16;
                if (column < 4) made.left |= height;
                else made.right |= height;
            }
            return made;
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Query
    {
        uint size;
        public uint Layers; public Vec3 Origin, Displacement; public long Radius; public Shape Shape;
        public uint Excludes, Reserved; public Collider Exclude;
        public static Query At(Vec3 origin)
        {
            return new Query { size = Native.Size<Query>.Value, Layers = 0xffff, Origin = origin };
        }
        public static Query Ray(Vec3 origin, Vec3 displacement)
        {
            return new Query { size = Native.Size<Query>.Value, Layers = 0xffff, Origin = origin, Displacement = displacement };
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Hit { internal uint size; public uint IsHit; public ulong Toi; public Collider Collider; public Vec3 Normal, Point; }

    [StructLayout(LayoutKind.Sequential)]
    public struct Ground { internal uint size; public uint IsGround; public long Height; public Vec3 Normal; }

    [StructLayout(LayoutKind.Sequential)]
    public struct Near { public long Distance; public Collider Collider; }

    [StructLayout(LayoutKind.Sequential)]
    public struct Event { public EventKind Kind; public uint Repeat; public ulong Toi; public Body A; public Collider B; }

    [StructLayout(LayoutKind.Sequential)]
    public struct Impulse { public Body A; public Collider B; public Vec3 OnB; }

    [StructLayout(LayoutKind.Sequential)]
    public struct Report
    {
        internal uint size;
        public uint Impacts; public ulong Tick;
        public uint ImpactLimited, VelocityCorrected, OutOfBounds, Blocked, Reverted, Removed, Woke, FellAsleep, Overlapping;
        public uint Events, Impulses, TickHalted;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Verdict { internal uint size; public uint IsSame; public ulong Ticks, FirstDifferent; public Checksum Checksum; }

    public static class Bitstep
    {
        public const uint AbiVersion = 1;
        public static uint RulesVersion { get { return Native.bitstep_rules_version(); } }
        public static string Build { get { return Marshal.PtrToStringAnsi(Native.bitstep_build()); } }

        // Number that a decimal text names, to nearest.
        public static long Lit(string text)
        {
            long number;
            if (text.IndexOf('\0') >= 0) throw new ArgumentException("a zero in a text");
            Native.Check(Native.bitstep_lit(text, out number));
            return number;
        }

        // Length of the bytes of commands, for World.ApplyBytes here or on another machine; an array that is too small is replaced. Bytes that
        // follow each other are those of all commands.
        public static int Encode(Command[] commands, int count, ref byte[] bytes)
        {
            if (count > commands.Length) throw new ArgumentOutOfRangeException("count");
            UIntPtr length;
            Code code = Native.bitstep_commands_encode(commands, (UIntPtr)count, bytes, (UIntPtr)bytes.Length, out length);
            if (code == Code.Buffer)
            {
                bytes = new byte[(int)length];
                code = Native.bitstep_commands_encode(commands, (UIntPtr)count, bytes, length, out length);
            }
            Native.Check(code);
            return (int)length;
        }
        // Number of commands in bytes; throws if they are none, such as what a stranger sent.
        public static int CommandsCount(byte[] bytes, int length)
        {
            UIntPtr count;
            if (length > bytes.Length) throw new ArgumentOutOfRangeException("length");
            Native.Check(Native.bitstep_commands_count(bytes, (UIntPtr)length, out count));
            return (int)count;
        }
        public static int Encode(Spawn spawn, ref byte[] bytes)
        {
            UIntPtr length;
            Code code = Native.bitstep_spawn_encode(ref spawn, bytes, (UIntPtr)bytes.Length, out length);
            if (code == Code.Buffer)
            {
                bytes = new byte[(int)length];
                code = Native.bitstep_spawn_encode(ref spawn, bytes, length, out length);
            }
            Native.Check(code);
            return (int)length;
        }
    }

    // Owner of a handle.
    public abstract class Owned : IDisposable
    {
        internal ulong Handle;
        internal Owned(ulong handle) { Handle = handle; }
        protected abstract Code Free(ulong handle);
        public void Dispose()
        {
            if (Handle != 0) Free(Handle); // one that is stale already is a code
            Handle = 0;
            GC.SuppressFinalize(this);
        }
        ~Owned() { if (Handle != 0) Free(Handle); }
    }

    public sealed class Scenery : Owned
    {
        public Scenery() : base(Make()) { }
        static ulong Make()
        {
            ulong handle;
            Native.CheckVersion();
            Native.Check(Native.bitstep_scenery_new(out handle));
            return handle;
        }
        protected override Code Free(ulong handle) { return Native.bitstep_scenery_free(handle); }
        public uint AddShape(Shape shape)
        {
            uint id;
            Native.Check(Native.bitstep_scenery_add_shape(Handle, ref shape, out id));
            return id;
        }
        // In the frame of its principal axes, for bodies that rotate.
        public uint AddHull(Vec3[] points, out Hull hull)
        {
            uint id;
            hull = Hull.Sized;
            Native.Check(Native.bitstep_scenery_add_hull(Handle, points, (UIntPtr)points.Length, ref hull, out id));
            return id;
        }
        // With the axes of the points, for statics and bodies that never rotate.
        public uint AddHullUpright(Vec3[] points, out Hull hull)
        {
            uint id;
            hull = Hull.Sized;
            Native.Check(Native.bitstep_scenery_add_hull_upright(Handle, points, (UIntPtr)points.Length, ref hull, out id));
            return id;
        }
        // For statics: three corners of each triangle by their places among the points, and a number for its material, or none for 0 everywhere.
        public uint AddMesh(Vec3[] points, int[] triangles, byte[] materials, out MeshReport report)
        {
            uint id;
            report = MeshReport.Sized;
            if (triangles.Length % 3 != 0) throw new ArgumentException("not three corners for each triangle");
            if (materials != null && materials.Length != triangles.Length / 3) throw new ArgumentException("not one material for each triangle");
            using (Pins pins = new Pins())
            {
                MeshArrays mesh = new MeshArrays { size = Native.Size<MeshArrays>.Value };
                mesh.PointCount = (uint)points.Length;
                mesh.TriangleCount = (uint)triangles.Length / 3;
                mesh.Points = pins.Of(points);
                mesh.Triangles = pins.Of(triangles);
                mesh.Materials = pins.Of(materials);
                Native.Check(Native.bitstep_scenery_add_mesh(Handle, ref mesh, ref report, out id));
            }
            return id;
        }
        // The content of a file that `bitstep bake` has written.
        public uint AddMeshFile(byte[] bytes, int length, out MeshReport report)
        {
            uint id;
            report = MeshReport.Sized;
            if (length > bytes.Length) throw new ArgumentOutOfRangeException("length");
            Native.Check(Native.bitstep_scenery_add_mesh_file(Handle, bytes, (UIntPtr)length, ref report, out id));
            return id;
        }
        // For statics: rows of heights along z, each along x. Of cells there is one less along each axis, or none for 0 everywhere.
        public uint AddHeights(long cell, long unit, short[,] heights, byte[,] cells = null)
        {
            uint id;
            int columns = heights.GetLength(1), rows = heights.GetLength(0);
            if (cells != null && (cells.GetLength(1) != columns - 1 || cells.GetLength(0) != rows - 1))
                throw new ArgumentException("of cells there is one less than of heights along each axis");
            using (Pins pins = new Pins())
            {
                HeightArrays ground = new HeightArrays { size = Native.Size<HeightArrays>.Value, Cell = cell, Unit = unit };
                ground.Columns = (uint)columns;
                ground.Rows = (uint)rows;
                ground.Heights = pins.Of(heights);
                ground.Cells = pins.Of(cells);
                Native.Check(Native.bitstep_scenery_add_heights(Handle, ref ground, out id));
            }
            return id;
        }
        // As the shape of a body; its mirror image has that number less 1.
        public uint AddCompound(params ChildShape[] children)
        {
            uint id;
            Native.Check(Native.bitstep_scenery_add_compound(Handle, children, (UIntPtr)children.Length, out id));
            return id;
        }
        // The shape collides with what was on that side of it when the tick began.
        public void SetOpenFace(uint shape, Face face) { Native.Check(Native.bitstep_scenery_set_open_face(Handle, shape, face)); }
        public uint AddMaterial(long restitution, long friction)
        {
            uint id;
            Native.Check(Native.bitstep_scenery_add_material(Handle, restitution, friction, out id));
            return id;
        }
        public uint AddStatic(Static fixedOne)
        {
            uint id;
            Native.Check(Native.bitstep_scenery_add_static(Handle, ref fixedOne, out id));
            return id;
        }
    }

    public sealed class World : Owned
    {
        internal World(ulong handle) : base(handle) { }
        public World(Scenery scenery, Limits limits) : base(Make(scenery, limits)) { }
        static ulong Make(Scenery scenery, Limits limits)
        {
            ulong handle;
            Native.Check(Native.bitstep_world_new(scenery.Handle, ref limits, out handle));
            return handle;
        }
        protected override Code Free(ulong handle) { return Native.bitstep_world_free(handle); }
        public World Clone()
        {
            ulong handle;
            Native.Check(Native.bitstep_world_clone(Handle, out handle));
            return new World(handle);
        }
        public Body Spawn(Spawn spawn)
        {
            Body body;
            Native.Check(Native.bitstep_world_spawn(Handle, ref spawn, out body));
            return body;
        }
        // Codes, if there is room for them, say which command was refused; without room a refused one throws.
        public void Apply(Command[] commands, int count, Code[] codes = null)
        {
            if (count > commands.Length || (codes != null && count > codes.Length)) throw new ArgumentOutOfRangeException("count");
            Code code = Native.bitstep_world_apply(Handle, commands, (UIntPtr)count, codes);
            if (codes == null || code != Code.Refused) Native.Check(code);
        }
        public uint ApplyBytes(byte[] bytes, int length)
        {
            uint refused;
            if (length > bytes.Length) throw new ArgumentOutOfRangeException("length");
            Native.Check(Native.bitstep_world_apply_bytes(Handle, bytes, (UIntPtr)length, out refused));
            return refused;
        }
        public void Tick() { Native.Check(Native.bitstep_world_tick(Handle)); }
        public ulong TickCount
        {
            get
            {
                ulong ticks;
                Native.Check(Native.bitstep_world_tick_count(Handle, out ticks));
                return ticks;
            }
        }
        public Checksum Checksum
        {
            get
            {
                Checksum checksum;
                Native.Check(Native.bitstep_world_checksum(Handle, out checksum));
                return checksum;
            }
        }
        // Length of the snapshot; an array that is too small is replaced.
        public int Save(ref byte[] bytes)
        {
            UIntPtr length;
            Code code = Native.bitstep_world_save(Handle, bytes, (UIntPtr)bytes.Length, out length);
            if (code == Code.Buffer)
            {
                bytes = new byte[(int)length];
                code = Native.bitstep_world_save(Handle, bytes, length, out length);
            }
            Native.Check(code);
            return (int)length;
        }
        public void Restore(byte[] bytes, int length)
        {
            if (length > bytes.Length) throw new ArgumentOutOfRangeException("length");
            Native.Check(Native.bitstep_world_restore(Handle, bytes, (UIntPtr)length));
        }
        // False if there is no such body.
        public bool TryGet(Body body, out BodyState state)
        {
            state = new BodyState { size = Native.Size<BodyState>.Value };
            Code code = Native.bitstep_world_body(Handle, body, ref state);
            if (code == Code.NoBody) return false;
            Native.Check(code);
            return true;
        }
        // Number of bodies; an array that is too small is replaced.
        public int Bodies(ref BodyState[] states)
        {
            UIntPtr count;
            Code code = Native.bitstep_world_bodies(Handle, states, (UIntPtr)states.Length, out count);
            if (code == Code.Buffer)
            {
                states = new BodyState[(int)count];
                code = Native.bitstep_world_bodies(Handle, states, count, out count);
            }
            Native.Check(code);
            return (int)count;
        }
        public Vec3 GravityNearest(Vec3 perSecondSquared)
        {
            Vec3 gravity;
            Native.Check(Native.bitstep_world_gravity_nearest(Handle, ref perSecondSquared, out gravity));
            return gravity;
        }
        public bool EventsEnabled { set { Native.Check(Native.bitstep_world_enable_events(Handle, value ? 1u : 0u)); } }
        public Report Report
        {
            get
            {
                Report report = new Report { size = Native.Size<Report>.Value };
                Native.Check(Native.bitstep_world_report(Handle, ref report));
                return report;
            }
        }
        // Number of events; an array that is too small is replaced.
        public int Events(ref Event[] events)
        {
            UIntPtr count;
            Code code = Native.bitstep_world_events(Handle, events, (UIntPtr)events.Length, out count);
            if (code == Code.Buffer)
            {
                events = new Event[(int)count];
                code = Native.bitstep_world_events(Handle, events, count, out count);
            }
            Native.Check(code);
            return (int)count;
        }
        // Number of pairs with an impulse; an array that is too small is replaced.
        public int Impulses(ref Impulse[] impulses)
        {
            UIntPtr count;
            Code code = Native.bitstep_world_impulses(Handle, impulses, (UIntPtr)impulses.Length, out count);
            if (code == Code.Buffer)
            {
                impulses = new Impulse[(int)count];
                code = Native.bitstep_world_impulses(Handle, impulses, count, out count);
            }
            Native.Check(code);
            return (int)count;
        }
        // False if nothing is hit.
        public bool CastRay(Query query, out Hit hit)
        {
            hit = new Hit { size = Native.Size<Hit>.Value };
            Native.Check(Native.bitstep_world_cast_ray(Handle, ref query, ref hit));
            return hit.IsHit == 1;
        }
        public bool CastShape(Query query, out Hit hit)
        {
            hit = new Hit { size = Native.Size<Hit>.Value };
            Native.Check(Native.bitstep_world_cast_shape(Handle, ref query, ref hit));
            return hit.IsHit == 1;
        }
        // False over a hole of the ground of heights, and beyond its border.
        public bool TryGround(uint ground, long x, long z, out Ground at)
        {
            at = new Ground { size = Native.Size<Ground>.Value };
            Native.Check(Native.bitstep_world_ground(Handle, ground, x, z, ref at));
            return at.IsGround == 1;
        }
        // Number of heights of a ground as commands have left it, row by row; an array that is too small is replaced.
        public int Heights(uint ground, ref short[] heights)
        {
            UIntPtr count;
            Code code = Native.bitstep_world_heights(Handle, ground, heights, (UIntPtr)heights.Length, out count);
            if (code == Code.Buffer)
            {
                heights = new short[(int)count];
                code = Native.bitstep_world_heights(Handle, ground, heights, count, out count);
            }
            Native.Check(code);
            return (int)count;
        }
        // Static of the facet that the index of a collider names; a static belongs to itself.
        public uint FacetOwner(uint facet)
        {
            uint owner;
            Native.Check(Native.bitstep_world_facet_owner(Handle, facet, out owner));
            return owner;
        }
        // Number of triangles of a facet; an array that is too small is replaced.
        public int FacetTriangles(uint facet, ref uint[] triangles)
        {
            UIntPtr count;
            Code code = Native.bitstep_world_facet_triangles(Handle, facet, triangles, (UIntPtr)triangles.Length, out count);
            if (code == Code.Buffer)
            {
                triangles = new uint[(int)count];
                code = Native.bitstep_world_facet_triangles(Handle, facet, triangles, count, out count);
            }
            Native.Check(code);
            return (int)count;
        }
        // Number of colliders; an array that is too small is replaced.
        public int Overlap(Query query, ref Collider[] colliders)
        {
            UIntPtr count;
            Code code = Native.bitstep_world_overlap(Handle, ref query, colliders, (UIntPtr)colliders.Length, out count);
            if (code == Code.Buffer)
            {
                colliders = new Collider[(int)count];
                code = Native.bitstep_world_overlap(Handle, ref query, colliders, count, out count);
            }
            Native.Check(code);
            return (int)count;
        }
        // Number of the nearest colliders that were found, at most as many as the array has room for.
        public int Nearest(Query query, Near[] found)
        {
            UIntPtr count;
            Native.Check(Native.bitstep_world_nearest(Handle, ref query, found, (UIntPtr)found.Length, out count));
            return (int)count;
        }
    }

    public sealed class Recorder : Owned
    {
        public Recorder(World world) : base(Make(world)) { }
        static ulong Make(World world)
        {
            ulong handle;
            Native.Check(Native.bitstep_recorder_new(world.Handle, out handle));
            return handle;
        }
        protected override Code Free(ulong handle) { return Native.bitstep_recorder_free(handle); }
        // Records the tick that the world has just played.
        public void Tick() { Native.Check(Native.bitstep_recorder_tick(Handle)); }
        public byte[] Finish()
        {
            UIntPtr length;
            Native.bitstep_recorder_finish(Handle, null, UIntPtr.Zero, out length);
            byte[] bytes = new byte[(int)length];
            Native.Check(Native.bitstep_recorder_finish(Handle, bytes, length, out length));
            return bytes;
        }
    }

    // Scene of RON: a world, what happens in it, and for how long.
    public sealed class Scene : Owned
    {
        public Scene(string text) : base(Make(text)) { }
        static ulong Make(string text)
        {
            ulong handle;
            if (text.IndexOf('\0') >= 0) throw new ArgumentException("a zero in a text");
            Native.CheckVersion();
            Native.Check(Native.bitstep_scene_new(Encoding.UTF8.GetBytes(text + "\0"), out handle));
            return handle;
        }
        protected override Code Free(ulong handle) { return Native.bitstep_scene_free(handle); }
        public ulong TickCount
        {
            get
            {
                ulong ticks;
                Native.Check(Native.bitstep_scene_tick_count(Handle, out ticks));
                return ticks;
            }
        }
        public World World()
        {
            ulong handle;
            Native.Check(Native.bitstep_scene_world(Handle, out handle));
            return new World(handle);
        }
        // Plays the next tick of a world with the commands of the scene; gives the number of those that were refused.
        public uint Tick(World world)
        {
            uint refused;
            Native.Check(Native.bitstep_scene_tick(Handle, world.Handle, out refused));
            return refused;
        }
    }

    public sealed class Replay : Owned
    {
        public Replay(byte[] bytes) : base(Make(bytes)) { }
        static ulong Make(byte[] bytes)
        {
            ulong handle;
            Native.CheckVersion();
            Native.Check(Native.bitstep_replay_new(bytes, (UIntPtr)bytes.Length, out handle));
            return handle;
        }
        protected override Code Free(ulong handle) { return Native.bitstep_replay_free(handle); }
        public ulong TickCount
        {
            get
            {
                ulong ticks;
                Native.Check(Native.bitstep_replay_tick_count(Handle, out ticks));
                return ticks;
            }
        }
        public World World(ulong tick)
        {
            ulong handle;
            Native.Check(Native.bitstep_replay_world(Handle, tick, out handle));
            return new World(handle);
        }
        // Length of the commands of a tick, for World.ApplyBytes; an array that is too small is replaced.
        public int Commands(ulong tick, ref byte[] bytes)
        {
            UIntPtr length;
            Code code = Native.bitstep_replay_commands(Handle, tick, bytes, (UIntPtr)bytes.Length, out length);
            if (code == Code.Buffer)
            {
                bytes = new byte[(int)length];
                code = Native.bitstep_replay_commands(Handle, tick, bytes, length, out length);
            }
            Native.Check(code);
            return (int)length;
        }
        public Verdict Verify()
        {
            Verdict verdict = new Verdict { size = Native.Size<Verdict>.Value };
            Native.Check(Native.bitstep_replay_verify(Handle, ref verdict));
            return verdict;
        }
        // First difference, as words or JSON; null if there is none.
        public string Diff(Replay other, bool asJson = false)
        {
            byte[] text = new byte[4096];
            UIntPtr length;
            for (;;)
            {
                Code code = asJson
                    ? Native.bitstep_replay_diff_json(Handle, other.Handle, text, (UIntPtr)text.Length, out length)
                    : Native.bitstep_replay_diff(Handle, other.Handle, text, (UIntPtr)text.Length, out length);
                if (code != Code.Buffer)
                {
                    Native.Check(code);
                    return (int)length == 1 ? null : Encoding.UTF8.GetString(text, 0, (int)length - 1);
                }
                text = new byte[(int)length];
            }
        }
    }

    static class Native
    {
        const string Library = "bitstep_c";

        internal static class Size<T> { internal static readonly uint Value = (uint)Marshal.SizeOf(typeof(T)); }

        internal static void Check(Code code)
        {
            if (code == Code.Ok) return;
            byte[] words = new byte[512];
            UIntPtr length;
            Code read = bitstep_last_error(words, (UIntPtr)words.Length, out length);
            if (read == Code.Buffer)
            {
                words = new byte[(int)length];
                bitstep_last_error(words, length, out length);
            }
            throw new BitstepException(code, Encoding.UTF8.GetString(words, 0, (int)length - 1));
        }

        internal static void CheckVersion()
        {
            if (bitstep_abi_version() != Bitstep.AbiVersion) throw new BitstepException(Code.Size, "the library has another ABI version");
        }

        [DllImport(Library)] internal static extern uint bitstep_abi_version();
        [DllImport(Library)] internal static extern uint bitstep_rules_version();
        [DllImport(Library)] internal static extern IntPtr bitstep_build();
        [DllImport(Library)] internal static extern Code bitstep_last_error([Out] byte[] buffer, UIntPtr capacity, out UIntPtr length);
        [DllImport(Library)] internal static extern Code bitstep_lit([MarshalAs(UnmanagedType.LPStr)] string text, out long number);
        [DllImport(Library)] internal static extern Code bitstep_limits_init(uint tickRate, out Limits limits);
        [DllImport(Library)] internal static extern Code bitstep_spawn_init(uint shape, out Spawn spawn);
        [DllImport(Library)] internal static extern Code bitstep_scenery_new(out ulong scenery);
        [DllImport(Library)] internal static extern Code bitstep_scenery_free(ulong scenery);
        [DllImport(Library)] internal static extern Code bitstep_scenery_add_shape(ulong scenery, ref Shape shape, out uint id);
        [DllImport(Library)] internal static extern Code bitstep_scenery_add_hull(ulong scenery, [In] Vec3[] points, UIntPtr count, ref Hull hull, out uint id);
        [DllImport(Library)] internal static extern Code bitstep_scenery_add_hull_upright(ulong scenery, [In] Vec3[] points, UIntPtr count, ref Hull hull, out uint id);
        [DllImport(Library)] internal static extern Code bitstep_scenery_add_mesh(ulong scenery, ref MeshArrays mesh, ref MeshReport report, out uint id);
        [DllImport(Library)] internal static extern Code bitstep_scenery_add_mesh_file(ulong scenery, [In] byte[] bytes, UIntPtr length, ref MeshReport report, out uint id);
        [DllImport(Library)] internal static extern Code bitstep_scenery_add_heights(ulong scenery, ref HeightArrays heights, out uint id);
        [DllImport(Library)] internal static extern Code bitstep_scenery_add_compound(ulong scenery, [In] ChildShape[] children, UIntPtr count, out uint id);
        [DllImport(Library)] internal static extern Code bitstep_scenery_set_open_face(ulong scenery, uint shape, Face face);
        [DllImport(Library)] internal static extern Code bitstep_scenery_add_material(ulong scenery, long restitution, long friction, out uint id);
        [DllImport(Library)] internal static extern Code bitstep_scenery_add_static(ulong scenery, ref Static one, out uint id);
        [DllImport(Library)] internal static extern Code bitstep_world_new(ulong scenery, ref Limits limits, out ulong world);
        [DllImport(Library)] internal static extern Code bitstep_world_clone(ulong world, out ulong copy);
        [DllImport(Library)] internal static extern Code bitstep_world_free(ulong world);
        [DllImport(Library)] internal static extern Code bitstep_world_spawn(ulong world, ref Spawn spawn, out Body body);
        [DllImport(Library)] internal static extern Code bitstep_world_apply(ulong world, [In] Command[] commands, UIntPtr count, [Out] Code[] codes);
        [DllImport(Library)] internal static extern Code bitstep_commands_encode([In] Command[] commands, UIntPtr count, [Out] byte[] bytes, UIntPtr capacity, out UIntPtr length);
        [DllImport(Library)] internal static extern Code bitstep_commands_count([In] byte[] bytes, UIntPtr length, out UIntPtr count);
        [DllImport(Library)] internal static extern Code bitstep_spawn_encode(ref Spawn spawn, [Out] byte[] bytes, UIntPtr capacity, out UIntPtr length);
        [DllImport(Library)] internal static extern Code bitstep_world_apply_bytes(ulong world, [In] byte[] bytes, UIntPtr length, out uint refused);
        [DllImport(Library)] internal static extern Code bitstep_world_tick(ulong world);
        [DllImport(Library)] internal static extern Code bitstep_world_tick_count(ulong world, out ulong ticks);
        [DllImport(Library)] internal static extern Code bitstep_world_checksum(ulong world, out Checksum checksum);
        [DllImport(Library)] internal static extern Code bitstep_world_save(ulong world, [Out] byte[] bytes, UIntPtr capacity, out UIntPtr length);
        [DllImport(Library)] internal static extern Code bitstep_world_restore(ulong world, [In] byte[] bytes, UIntPtr length);
        [DllImport(Library)] internal static extern Code bitstep_world_body(ulong world, Body body, ref BodyState state);
        [DllImport(Library)] internal static extern Code bitstep_world_bodies(ulong world, [Out] BodyState[] states, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library)] internal static extern Code bitstep_world_gravity_nearest(ulong world, ref Vec3 vector, out Vec3 gravity);
        [DllImport(Library)] internal static extern Code bitstep_world_enable_events(ulong world, uint enabled);
        [DllImport(Library)] internal static extern Code bitstep_world_report(ulong world, ref Report report);
        [DllImport(Library)] internal static extern Code bitstep_world_events(ulong world, [Out] Event[] events, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library)] internal static extern Code bitstep_world_impulses(ulong world, [Out] Impulse[] impulses, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library)] internal static extern Code bitstep_world_cast_ray(ulong world, ref Query query, ref Hit hit);
        [DllImport(Library)] internal static extern Code bitstep_world_cast_shape(ulong world, ref Query query, ref Hit hit);
        [DllImport(Library)] internal static extern Code bitstep_world_overlap(ulong world, ref Query query, [Out] Collider[] colliders, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library)] internal static extern Code bitstep_world_nearest(ulong world, ref Query query, [Out] Near[] found, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library)] internal static extern Code bitstep_world_ground(ulong world, uint ground, long x, long z, ref Ground at);
        [DllImport(Library)] internal static extern Code bitstep_world_heights(ulong world, uint ground, [Out] short[] values, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library)] internal static extern Code bitstep_world_facet_owner(ulong world, uint facet, out uint owner);
        [DllImport(Library)] internal static extern Code bitstep_world_facet_triangles(ulong world, uint facet, [Out] uint[] triangles, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library)] internal static extern Code bitstep_recorder_new(ulong world, out ulong recorder);
        [DllImport(Library)] internal static extern Code bitstep_recorder_free(ulong recorder);
        [DllImport(Library)] internal static extern Code bitstep_recorder_tick(ulong recorder);
        [DllImport(Library)] internal static extern Code bitstep_recorder_finish(ulong recorder, [Out] byte[] bytes, UIntPtr capacity, out UIntPtr length);
        [DllImport(Library)] internal static extern Code bitstep_scene_new([In] byte[] text, out ulong scene);
        [DllImport(Library)] internal static extern Code bitstep_scene_free(ulong scene);
        [DllImport(Library)] internal static extern Code bitstep_scene_tick_count(ulong scene, out ulong ticks);
        [DllImport(Library)] internal static extern Code bitstep_scene_world(ulong scene, out ulong world);
        [DllImport(Library)] internal static extern Code bitstep_scene_tick(ulong scene, ulong world, out uint refused);
        [DllImport(Library)] internal static extern Code bitstep_replay_new([In] byte[] bytes, UIntPtr length, out ulong replay);
        [DllImport(Library)] internal static extern Code bitstep_replay_free(ulong replay);
        [DllImport(Library)] internal static extern Code bitstep_replay_tick_count(ulong replay, out ulong ticks);
        [DllImport(Library)] internal static extern Code bitstep_replay_world(ulong replay, ulong tick, out ulong world);
        [DllImport(Library)] internal static extern Code bitstep_replay_commands(ulong replay, ulong tick, [Out] byte[] bytes, UIntPtr capacity, out UIntPtr length);
        [DllImport(Library)] internal static extern Code bitstep_replay_verify(ulong replay, ref Verdict verdict);
        [DllImport(Library)] internal static extern Code bitstep_replay_diff(ulong left, ulong right, [Out] byte[] text, UIntPtr capacity, out UIntPtr length);
        [DllImport(Library)] internal static extern Code bitstep_replay_diff_json(ulong left, ulong right, [Out] byte[] text, UIntPtr capacity, out UIntPtr length);
    }
}
