<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>QObject</name>
    <message>
        <source>Get data or GPT-2</source>
        <translation>获取数据或 GPT-2</translation>
    </message>
    <message>
        <source>Get data and GPT-2</source>
        <translation>获取数据和 GPT-2</translation>
    </message>
    <message>
        <source> Omitted: %1%2 (links, or files that were removed or could not be read).</source>
        <translation> 省略：%1%2（链接，或已删除、无法读取的文件）。</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> 等，另有 %1 个</translation>
    </message>
    <message>
        <source>%1 is written.</source>
        <translation>%1 已写入。</translation>
    </message>
    <message>
        <source>%1 of %2 archives are written to %3.</source>
        <translation>%2 个归档中的 %1 个已写入 %3。</translation>
    </message>
    <message>
        <source> %1:</source>
        <translation> %1：</translation>
    </message>
    <message>
        <source>Cancelled: %1</source>
        <translation>已取消：%1</translation>
    </message>
    <message>
        <source>pred.npy and true.npy are written to %1.</source>
        <translation>pred.npy 和 true.npy 已写入 %1。</translation>
    </message>
    <message>
        <source>Symbol: %1</source>
        <translation>符号：%1</translation>
    </message>
    <message>
        <source>Default: `%1`</source>
        <translation>默认值：`%1`</translation>
    </message>
    <message>
        <source>Expected: %1</source>
        <translation>应为：%1</translation>
    </message>
    <message>
        <source>Unit: %1</source>
        <translation>单位：%1</translation>
    </message>
    <message>
        <source>In an experiment file: section `[%1]`, key `%2`. On the command line: `--set %3=…`.</source>
        <translation>在实验文件中：小节 `[%1]`，键 `%2`。在命令行中：`--set %3=…`。</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>what</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>An unexpected error occurred: %1. What you entered is still there. If it happens again, please report it with what you did before.</source>
        <translation>发生意外错误：%1。已输入的内容仍然保留。如果再次发生，请报告此错误和之前的操作。</translation>
    </message>
    <message>
        <source>Figures and files</source>
        <translation>图和文件</translation>
    </message>
    <message>
        <source>Submit to a cluster</source>
        <translation>提交到集群</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>键盘</translation>
    </message>
    <message>
        <source>GPT-2 is not on this computer yet</source>
        <translation>本机尚无 GPT-2</translation>
    </message>
    <message>
        <source>The backbone cannot be read (%1)</source>
        <translation>无法读取骨干网络（%1）</translation>
    </message>
    <message>
        <source>The saved session could not be opened; starting with an empty session. %1</source>
        <translation>无法打开已保存的会话；以空会话启动。%1</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>The saved session %1 could not be read (%2)</source>
        <translation>无法读取已保存的会话 %1（%2）</translation>
    </message>
    <message>
        <source>; the file was kept as %1.</source>
        <translation>；该文件已保留为 %1。</translation>
    </message>
    <message>
        <source>, and the file could not be kept as %1: %2.</source>
        <translation>，且该文件无法保留为 %1：%2。</translation>
    </message>
    <message>
        <source>The session cannot be saved: the previous file, which could not be opened, cannot be kept as %1: %2.</source>
        <translation>无法保存会话：之前的文件打不开，又无法保留为 %1：%2。</translation>
    </message>
    <message>
        <source>The session cannot be saved: %1 cannot be created.</source>
        <translation>无法保存会话：无法创建 %1。</translation>
    </message>
    <message>
        <source>The session cannot be saved to %1: %2. Free disk space, or grant write permission.</source>
        <translation>无法将会话保存到 %1：%2。请释放磁盘空间或授予写入权限。</translation>
    </message>
    <message>
        <source>open with Enter or a double click</source>
        <translation>按 Enter 或双击打开</translation>
    </message>
    <message>
        <source> no longer exists</source>
        <translation> 已不存在</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>First steps</source>
        <translation>入门</translation>
    </message>
    <message>
        <source>Choose a folder that exists.</source>
        <translation>请选择一个存在的文件夹。</translation>
    </message>
    <message>
        <source>Choose a folder that you can write to.</source>
        <translation>请选择一个可写入的文件夹。</translation>
    </message>
    <message>
        <source>Free some space, or choose a folder on another disk.</source>
        <translation>请释放一些空间，或选择其他磁盘上的文件夹。</translation>
    </message>
    <message>
        <source>the disk is full (%1)</source>
        <translation>磁盘已满（%1）</translation>
    </message>
    <message>
        <source>Choose another folder or name.</source>
        <translation>请选择其他文件夹或名称。</translation>
    </message>
    <message>
        <source>its folder cannot be created</source>
        <translation>无法创建其文件夹</translation>
    </message>
    <message>
        <source>No values above 0 to show on a logarithmic axis</source>
        <translation>没有大于 0 的值可显示在对数轴上</translation>
    </message>
    <message>
        <source>No values yet</source>
        <translation>尚无值</translation>
    </message>
    <message>
        <source>Forecast ahead: %1 of %2 selected channels are plotted. Select fewer to see others.</source>
        <translation>向前预测：已绘制所选 %2 个通道中的 %1 个。减少选择可查看其他通道。</translation>
    </message>
    <message>
        <source>%1 appears here.</source>
        <translation>%1将显示在此处。</translation>
    </message>
    <message>
        <source>anchors</source>
        <translation>锚点</translation>
    </message>
    <message>
        <source>%1 Show a run with anchors to see %2.</source>
        <translation>%1显示一个有锚点的运行，即可查看%2。</translation>
    </message>
    <message>
        <source>%1 on the test split appears here when a run is evaluated.</source>
        <translation>运行评估后，测试集上的%1将显示在此处。</translation>
    </message>
    <message>
        <source>%1 appears here seconds after the first step of a run trained in this session. For other runs it appears with the first snapshot: after an epoch, or every run.snapshot_steps steps.</source>
        <translation>对于本次会话中训练的运行，%1在第一步之后几秒显示在此处。对于其他运行，则从第一个快照起显示：每轮之后，或每 run.snapshot_steps 步。</translation>
    </message>
    <message>
        <source>The usage of each of the V&apos; anchors</source>
        <translation>各锚点（共 V&apos; 个）的使用次数</translation>
    </message>
    <message>
        <source>Anchor usage: only the first %1 of %2 runs are plotted. Check “Sorted” to show all runs in one plot, or show fewer runs.</source>
        <translation>锚点使用次数：只绘制 %2 个运行中的前 %1 个。勾选“排序”可在一幅图中显示所有运行，或减少显示的运行。</translation>
    </message>
    <message>
        <source>The fraction of retrievals that fall on the most used anchors</source>
        <translation>使用最多的锚点所占的检索比例</translation>
    </message>
    <message>
        <source>The concentration of anchor usage over training</source>
        <translation>锚点使用集中度在训练中的变化</translation>
    </message>
    <message>
        <source>coverage statistic</source>
        <translation>覆盖统计量</translation>
    </message>
    <message>
        <source> Show a run with coverage.enabled; the statistic is also computed for λ_cov = 0.</source>
        <translation> 请显示一个启用了 coverage.enabled 的运行；λ_cov = 0 时也会计算该统计量。</translation>
    </message>
    <message>
        <source>Coverage was off in these runs (coverage.enabled), so there is no coverage statistic. Show a run with coverage.enabled; the statistic is also computed for λ_cov = 0.</source>
        <translation>这些运行关闭了覆盖（coverage.enabled），因此没有覆盖统计量。请显示一个启用了 coverage.enabled 的运行；λ_cov = 0 时也会计算该统计量。</translation>
    </message>
    <message>
        <source>The coverage statistic c̃ of each anchor appears here seconds after the first step of a run trained in this session. For other runs it appears with the first snapshot: after an epoch, or every run.snapshot_steps steps.</source>
        <translation>对于本次会话中训练的运行，每个锚点的覆盖统计量 c̃ 在第一步之后几秒显示在此处。对于其他运行，则从第一个快照起显示：每轮之后，或每 run.snapshot_steps 步。</translation>
    </message>
    <message>
        <source>The coverage statistic c̃ of each anchor appears here.</source>
        <translation>每个锚点的覆盖统计量 c̃ 将显示在此处。</translation>
    </message>
    <message>
        <source>None of these %1 runs is finished and has this metric. Runs appear here as they finish.</source>
        <translation>这 %1 个运行均未完成或没有此指标。运行完成后将显示在此处。</translation>
    </message>
    <message>
        <source>An error or an anchor-usage metric is plotted here against λ_cov or any other setting, with its spread over seeds.
Show two or more runs in the list of runs.</source>
        <translation>此处绘制误差或锚点使用指标随 λ_cov 或任何其他设置的变化，及其在各随机种子间的离散程度。
请在运行列表中显示两个或更多运行。</translation>
    </message>
    <message>
        <source>These runs have no embeddings. They are recorded for runs started in this session, and stored with run.store_embeddings.</source>
        <translation>这些运行没有嵌入。嵌入会在本次会话启动的运行中记录，并可通过 run.store_embeddings 存储。</translation>
    </message>
    <message>
        <source>The variance of anchors, series and prompts explained by their first two principal components appears here, one point per snapshot.</source>
        <translation>锚点、序列和提示由其前两个主成分解释的方差显示在此处，每个快照一个点。</translation>
    </message>
    <message>
        <source>The forecast error appears here: for the probe windows from the start of training, and for the test split after the final evaluation.</source>
        <translation>预测误差显示在此处：探针窗口的误差从训练开始时显示，测试集的误差在最终评估后显示。</translation>
    </message>
    <message>
        <source>it has a different number of channels</source>
        <translation>通道数不同</translation>
    </message>
    <message>
        <source>its windows with the same numbers forecast different rows of the file</source>
        <translation>编号相同的窗口预测的是文件中不同的行</translation>
    </message>
    <message>
        <source>its true values differ</source>
        <translation>真实值不同</translation>
    </message>
    <message>
        <source>Forecasts: %1 of %2 selected windows × channels%3 are plotted. Select fewer to see others.</source>
        <translation>预测：已绘制所选 %2 个“窗口 × 通道%3”中的 %1 个。减少选择可查看其他。</translation>
    </message>
    <message>
        <source> × data sets</source>
        <translation> × 数据集</translation>
    </message>
    <message>
        <source>Forecasts: the data of %1 have none of the selected channels.</source>
        <translation>预测：%1 的数据不含任何所选通道。</translation>
    </message>
    <message>
        <source>Not plotted: %1.</source>
        <translation>未绘制：%1。</translation>
    </message>
    <message>
        <source>Look-back, truth and forecast of the selected windows appear here, live from the start of training.</source>
        <translation>所选窗口的回看窗口、真实值和预测显示在此处，从训练开始时实时更新。</translation>
    </message>
    <message>
        <source> Press Run, or show runs from the list on the left (Space).</source>
        <translation> 按“运行”，或从左侧列表中显示运行（Space）。</translation>
    </message>
    <message>
        <source>%1 with these settings</source>
        <translation>采用这些设置的 %1</translation>
    </message>
    <message>
        <source>%1 has no %2.</source>
        <translation>%1 没有%2。</translation>
    </message>
    <message>
        <source>%1 have no %2.</source>
        <translation>%1 没有%2。</translation>
    </message>
    <message>
        <source>it was trained on a different data file</source>
        <translation>训练所用的数据文件不同</translation>
    </message>
    <message>
        <source>it was trained on different channels</source>
        <translation>训练所用的通道不同</translation>
    </message>
    <message>
        <source>its scaler has a different mean and standard deviation</source>
        <translation>标准化器的均值和标准差不同</translation>
    </message>
    <message>
        <source>The usage of each anchor in training appears here for runs with anchors, from the first snapshot on.</source>
        <translation>对于有锚点的运行，每个锚点在训练中的使用次数从第一个快照起显示在此处。</translation>
    </message>
    <message>
        <source>Select a series in the list to plot its values.</source>
        <translation>在列表中选择一个序列以绘制其值。</translation>
    </message>
    <message>
        <source>The distribution of sMAPE and MASE over the series appears here for finished runs on a collection of series with stored test forecasts (run.store_forecasts).</source>
        <translation>对于序列集合上已完成且存储了测试预测（run.store_forecasts）的运行，sMAPE 和 MASE 在各序列上的分布显示在此处。</translation>
    </message>
    <message>
        <source>The loss terms appear here from the first step on.</source>
        <translation>损失项从第一步起显示在此处。</translation>
    </message>
    <message>
        <source>training steps</source>
        <translation>训练步</translation>
    </message>
    <message>
        <source>The validation MSE and MAE appear here after the first epoch.</source>
        <translation>验证 MSE 和 MAE 在第一轮之后显示在此处。</translation>
    </message>
    <message>
        <source>Validation MSE and MAE per epoch, with the best epoch marked, appear here.</source>
        <translation>每轮的验证 MSE 和 MAE 显示在此处，并标出最佳轮次。</translation>
    </message>
    <message>
        <source>Learning rate and time per step appear here from the first step on.</source>
        <translation>学习率和每步用时从第一步起显示在此处。</translation>
    </message>
    <message>
        <source>coverage term</source>
        <translation>覆盖项</translation>
    </message>
    <message>
        <source> Show a run with coverage to see its gate.</source>
        <translation> 显示一个有覆盖的运行，即可查看其门控。</translation>
    </message>
    <message>
        <source>The coverage gate was never active in these runs, coverage is off (coverage.enabled), or another loss takes its place (coverage.term). Show a run with coverage to see its gate.</source>
        <translation>在这些运行中，覆盖门控从未激活、覆盖已关闭（coverage.enabled），或由其他损失代替（coverage.term）。显示一个有覆盖的运行，即可查看其门控。</translation>
    </message>
    <message>
        <source>The fraction of (row, anchor) pairs (one row per window and channel) with 0 &lt; s &lt; c̃, for which the coverage gate is active, appears here from the first step on.</source>
        <translation>满足 0 &lt; s &lt; c̃、即覆盖门控激活的（行，锚点）对（每个窗口的每个通道为一行）的比例，从第一步起显示在此处。</translation>
    </message>
    <message>
        <source>The errors of all windows of a split appear here once a run is evaluated and its forecasts are stored (run.store_forecasts).</source>
        <translation>运行评估完成且存储了预测（run.store_forecasts）后，一个划分的所有窗口的误差显示在此处。</translation>
    </message>
    <message>
        <source>Anchors</source>
        <translation>锚点</translation>
    </message>
    <message>
        <source>usage similarity selection concentration coverage inspector words</source>
        <translation>使用次数 相似度 选择 集中度 覆盖 检查器 词 usage similarity selection concentration coverage inspector words</translation>
    </message>
    <message>
        <source>off</source>
        <translation>off</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 等，另有 %2 个</translation>
    </message>
    <message>
        <source>Pools of different sizes (V&apos; = %1) are not compared with each other.</source>
        <translation>不同大小的锚点池（V&apos; = %1）不相互比较。</translation>
    </message>
    <message>
        <source>Runs with different seeds start from different anchors: their overlap counts matching anchor numbers, not similar anchors. Compare runs with the same seed.</source>
        <translation>随机种子不同的运行从不同的锚点开始：重叠统计的是相同的锚点编号，而非相似的锚点。请比较随机种子相同的运行。</translation>
    </message>
    <message>
        <source>No anchors: %1.</source>
        <translation>没有锚点：%1。</translation>
    </message>
    <message>
        <source>No snapshot yet: %1.</source>
        <translation>尚无快照：%1。</translation>
    </message>
    <message>
        <source>Not evaluated on the test split yet: %1.</source>
        <translation>尚未在测试集上评估：%1。</translation>
    </message>
    <message>
        <source>Only the first %1 of %2 rows are shown. Show fewer runs to see others.</source>
        <translation>只显示 %2 行中的前 %1 行。减少显示的运行可查看其他行。</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run whose retrievals are counted</source>
        <translation>统计其检索的运行</translation>
    </message>
    <message>
        <source>counted</source>
        <translation>统计范围</translation>
    </message>
    <message>
        <source>Which retrievals are counted: in training, or over the test windows at the best checkpoint</source>
        <translation>统计哪些检索：训练中的检索，或最佳检查点在测试窗口上的检索</translation>
    </message>
    <message>
        <source>λ_cov: weight of the coverage term L_cov</source>
        <translation>λ_cov：覆盖项 L_cov 的权重</translation>
    </message>
    <message>
        <source>entropy (nats)</source>
        <translation>熵（nat）</translation>
    </message>
    <message>
        <source>Usage entropy of the hard assignments, −Σ p ln p, where p is each anchor&apos;s fraction of the retrievals. Minimum ln K: the same K anchors for all windows; maximum ln V&apos;: uniform usage</source>
        <translation>硬分配的使用熵 −Σ p ln p，其中 p 是每个锚点占检索的比例。最小值 ln K：所有窗口都用相同的 K 个锚点；最大值 ln V&apos;：均匀使用</translation>
    </message>
    <message>
        <source>entropy / ln V&apos;</source>
        <translation>熵 / ln V&apos;</translation>
    </message>
    <message>
        <source>Usage entropy as a fraction of its maximum ln V&apos;</source>
        <translation>使用熵占其最大值 ln V&apos; 的比例</translation>
    </message>
    <message>
        <source>distinct</source>
        <translation>不同锚点数</translation>
    </message>
    <message>
        <source>Number of the pool&apos;s V&apos; anchors retrieved at least once</source>
        <translation>池中 V&apos; 个锚点里至少被检索一次的数量</translation>
    </message>
    <message>
        <source>top 20</source>
        <translation>前 20</translation>
    </message>
    <message>
        <source>Fraction of all retrievals that fall on the 20 most used anchors</source>
        <translation>使用最多的 20 个锚点占全部检索的比例</translation>
    </message>
    <message>
        <source>key cosine</source>
        <translation>键余弦</translation>
    </message>
    <message>
        <source>Mean pairwise cosine of the K retrieved anchors&apos; keys over the test windows at the best checkpoint; not measured in training</source>
        <translation>最佳检查点在测试窗口上检索到的 K 个锚点的键的平均两两余弦；训练中不测量</translation>
    </message>
    <message>
        <source>|A ∩ B| / |A ∪ B| of the anchors retrieved at least once by this row and by the reference: 1 for identical sets, 0 for disjoint sets</source>
        <translation>此行与参照行至少检索一次的锚点集合的 |A ∩ B| / |A ∪ B|：集合相同为 1，不相交为 0</translation>
    </message>
    <message>
        <source>Jaccard, top 20</source>
        <translation>Jaccard，前 20</translation>
    </message>
    <message>
        <source>|A ∩ B| / |A ∪ B| of the 20 most used anchors of each</source>
        <translation>各自使用最多的 20 个锚点的 |A ∩ B| / |A ∪ B|</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>½ Σ |p − p of the reference|: the fraction of retrievals that fall on different anchors than in the reference</source>
        <translation>½ Σ |p − p（参照）|：落在与参照不同的锚点上的检索比例</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参照</translation>
    </message>
    <message>
        <source>different pool</source>
        <translation>池不同</translation>
    </message>
    <message>
        <source>All other rows are compared with this one</source>
        <translation>其他所有行都与此行比较</translation>
    </message>
    <message>
        <source>Not compared: the reference&apos;s pool has a different size (V&apos;), so its anchor numbers refer to different anchors</source>
        <translation>未比较：参照的锚点池大小（V&apos;）不同，因此相同编号对应不同的锚点</translation>
    </message>
    <message>
        <source>%1 anchors in both, %2 only here, %3 only in the reference (%4)</source>
        <translation>两者共有 %1 个锚点，%2 个仅在此处，%3 个仅在参照（%4）中</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>审核</translation>
    </message>
    <message>
        <source>import forecasts results pred.npy other code compare fair windows scaler</source>
        <translation>导入 预测 结果 其他代码 比较 公平 窗口 标准化器 import forecasts results pred.npy other code compare fair windows scaler</translation>
    </message>
    <message>
        <source>MSE</source>
        <translation>MSE</translation>
    </message>
    <message>
        <source>MAE</source>
        <translation>MAE</translation>
    </message>
    <message>
        <source>As stored, over all %1 windows</source>
        <translation>按存储的值，全部 %1 个窗口</translation>
    </message>
    <message>
        <source>%1 of %2 test windows, scaled as our runs</source>
        <translation>%2 个测试窗口中的 %1 个，标准化与本程序相同</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>%1: comparable with our runs</source>
        <translation>%1：与本程序的运行可比</translation>
    </message>
    <message>
        <source>%1: one finding</source>
        <translation>%1：一项发现</translation>
    </message>
    <message>
        <source>%1: several findings</source>
        <translation>%1：多项发现</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>局限</translation>
    </message>
    <message>
        <source>%1, line %2, shows %3: &lt;code&gt;%4&lt;/code&gt;</source>
        <translation>%1 第 %2 行显示 %3：&lt;code&gt;%4&lt;/code&gt;</translation>
    </message>
    <message>
        <source>Scripts and logs beside the arrays</source>
        <translation>数组旁的脚本和日志</translation>
    </message>
    <message>
        <source>Channels: %1. Scaled with %2.</source>
        <translation>通道：%1。标准化方式：%2。</translation>
    </message>
    <message>
        <source>Forecasts: %1</source>
        <translation>预测：%1</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>not readable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Difference of settings</source>
        <translation>设置的差异</translation>
    </message>
    <message>
        <source>, best</source>
        <translation>，最佳</translation>
    </message>
    <message>
        <source>, second-best</source>
        <translation>，次佳</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>channel</source>
        <translation>个通道</translation>
    </message>
    <message>
        <source>channels</source>
        <translation>个通道</translation>
    </message>
    <message>
        <source>no time column</source>
        <translation>没有时间列</translation>
    </message>
    <message>
        <source>every %1</source>
        <translation>间隔 %1</translation>
    </message>
    <message>
        <source>recognised: %1</source>
        <translation>已识别：%1</translation>
    </message>
    <message>
        <source>read with corrections</source>
        <translation>按更正读取</translation>
    </message>
    <message>
        <source>%1 each</source>
        <translation>各 %1</translation>
    </message>
    <message>
        <source>training value</source>
        <translation>个训练值</translation>
    </message>
    <message>
        <source>training values</source>
        <translation>个训练值</translation>
    </message>
    <message>
        <source>%1 to %2 training values each, median %3</source>
        <translation>各有 %1 至 %2 个训练值，中位数 %3</translation>
    </message>
    <message>
        <source>%1 series</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>%1 in total</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>H = %1</source>
        <translation>H = %1</translation>
    </message>
    <message>
        <source>%1, season %2</source>
        <translation>%1，周期 %2</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>条警告</translation>
    </message>
    <message>
        <source>warnings</source>
        <translation>条警告</translation>
    </message>
    <message>
        <source>Check a channel in the list to plot it over the whole file.</source>
        <translation>在列表中勾选一个通道，即可绘制其在整个文件中的值。</translation>
    </message>
    <message>
        <source>Data files (%1)</source>
        <translation>数据文件 (%1)</translation>
    </message>
    <message>
        <source>%1 files (%2)</source>
        <translation>%1 文件 (%2)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>%1 cell without a value in %2 (%3)</source>
        <translation>%2（%3）中有 %1 个单元格没有值</translation>
    </message>
    <message>
        <source>%1 cells without a value in %2 (%3)</source>
        <translation>%2（%3）中有 %1 个单元格没有值</translation>
    </message>
    <message>
        <source>one channel</source>
        <translation>一个通道</translation>
    </message>
    <message>
        <source>%1 channels</source>
        <translation>%1 个通道</translation>
    </message>
    <message>
        <source>a number in every cell</source>
        <translation>每个单元格都有数字</translation>
    </message>
    <message>
        <source>Choose “interpolate” to fill them or “drop-column” to omit these channels.</source>
        <translation>选择“interpolate”以填充，或选择“drop-column”以省略这些通道。</translation>
    </message>
    <message>
        <source>every channel has missing cells, so “drop-column” leaves none</source>
        <translation>每个通道都有缺失的单元格，“drop-column”会使通道全部省略</translation>
    </message>
    <message>
        <source>Choose “interpolate”.</source>
        <translation>请选择“interpolate”。</translation>
    </message>
    <message>
        <source>used, %1 filled</source>
        <translation>使用，填充 %1</translation>
    </message>
    <message>
        <source>cell</source>
        <translation>个单元格</translation>
    </message>
    <message>
        <source>cells</source>
        <translation>个单元格</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>省略</translation>
    </message>
    <message>
        <source>stops the run</source>
        <translation>使运行无法启动</translation>
    </message>
    <message>
        <source>not selected</source>
        <translation>未选择</translation>
    </message>
    <message>
        <source>used, constant: scale 1</source>
        <translation>使用，常量：缩放为 1</translation>
    </message>
    <message>
        <source>used, markers kept</source>
        <translation>使用，保留标记值</translation>
    </message>
    <message>
        <source>used</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>%1 listed</source>
        <translation>%1 个已列出</translation>
    </message>
    <message>
        <source>Recognised by its %1: %2, %3.</source>
        <translation>由%1识别：%2，%3。</translation>
    </message>
    <message>
        <source>digest</source>
        <translation>校验和</translation>
    </message>
    <message>
        <source>location, rows and channels</source>
        <translation>位置、行数和通道</translation>
    </message>
    <message>
        <source>split</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>file lines</source>
        <translation>文件行号</translation>
    </message>
    <message>
        <source>from – to</source>
        <translation>起止</translation>
    </message>
    <message>
        <source>windows</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练集</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证集</translation>
    </message>
    <message>
        <source>test</source>
        <translation>测试集</translation>
    </message>
    <message>
        <source>unused</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>Rule %1</source>
        <translation>规则 %1</translation>
    </message>
    <message>
        <source> (the catalogue’s for %1)</source>
        <translation> (目录中 %1 的规则)</translation>
    </message>
    <message>
        <source>; windows with look-back L = %1 and horizon H = %2, stride 1.</source>
        <translation>；窗口的回看窗口 L = %1，预测步长 H = %2，步幅 1。</translation>
    </message>
    <message>
        <source> Few-shot: trains on the oldest %1 %, up to line %2.</source>
        <translation> 少样本：用最早的 %1 % 训练，至第 %2 行。</translation>
    </message>
    <message>
        <source>Each channel is scaled to (x − μ) / σ, with the mean μ and the population standard deviation σ of its first %1%2; see the table below.</source>
        <translation>每个通道标准化为 (x − μ) / σ，其中 μ 和 σ 为其前 %1%2的均值和总体标准差；见下表。</translation>
    </message>
    <message>
        <source> (the training rows)</source>
        <translation> (训练行)</translation>
    </message>
    <message>
        <source> %1 is constant there; σ is set to 1.</source>
        <translation> %1 在其中为常量；σ 设为 1。</translation>
    </message>
    <message>
        <source> %1 are constant there; σ is set to 1.</source>
        <translation> %1 在其中为常量；σ 设为 1。</translation>
    </message>
    <message>
        <source> A batch consists of %1.</source>
        <translation> 一个批次由%1组成。</translation>
    </message>
    <message>
        <source>single-channel windows</source>
        <translation>单通道窗口</translation>
    </message>
    <message>
        <source>windows with all %1 channels</source>
        <translation>含全部 %1 个通道的窗口</translation>
    </message>
    <message>
        <source>The selected channels have no missing cells.</source>
        <translation>所选通道没有缺失的单元格。</translation>
    </message>
    <message>
        <source>%1 in %2 (%3) filled by linear interpolation.</source>
        <translation>%2（%3）中的 %1已用线性插值填充。</translation>
    </message>
    <message>
        <source>missing cell</source>
        <translation>个缺失单元格</translation>
    </message>
    <message>
        <source>missing cells</source>
        <translation>个缺失单元格</translation>
    </message>
    <message>
        <source>%1 omitted because of %2: %3. %4 of %5 channels remain.</source>
        <translation>因有 %2，省略 %1：%3。保留 %5 个通道中的 %4 个。</translation>
    </message>
    <message>
        <source>%1 without a value in %2 (%3): a run cannot start with this setting.</source>
        <translation>%2（%3）中有 %1没有值：采用此设置时运行无法启动。</translation>
    </message>
    <message>
        <source>The value %1 of data.sentinels does not occur.</source>
        <translation>data.sentinels 的值 %1 没有出现。</translation>
    </message>
    <message>
        <source>Embeddings</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>PCA t-SNE layout lasso variance</source>
        <translation>套索 布局 方差 PCA t-SNE layout lasso variance</translation>
    </message>
    <message>
        <source>%1 was not saved: %2</source>
        <translation>%1 未保存：%2</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Memory and time</source>
        <translation>内存和时间</translation>
    </message>
    <message>
        <source>TOML</source>
        <translation>TOML</translation>
    </message>
    <message>
        <source>%1 %2; expected %3</source>
        <translation>%1 %2；应为：%3</translation>
    </message>
    <message>
        <source>; use a decimal point: %1</source>
        <translation>；请使用小数点：%1</translation>
    </message>
    <message>
        <source>The field</source>
        <translation>此字段</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>为空</translation>
    </message>
    <message>
        <source>on</source>
        <translation>on</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>空</translation>
    </message>
    <message>
        <source>empty list</source>
        <translation>空列表</translation>
    </message>
    <message>
        <source>is not a whole number</source>
        <translation>不是整数</translation>
    </message>
    <message>
        <source>is not a number</source>
        <translation>不是数字</translation>
    </message>
    <message>
        <source>is not valid text</source>
        <translation>不是有效文本</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 个运行</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 个运行</translation>
    </message>
    <message>
        <source>e.g. 2021:2025:5</source>
        <translation>例如 2021:2025:5</translation>
    </message>
    <message>
        <source>e.g. 0, 0.05, 0.1</source>
        <translation>例如 0, 0.05, 0.1</translation>
    </message>
    <message>
        <source>values, separated by commas</source>
        <translation>多个值，以逗号分隔</translation>
    </message>
    <message>
        <source>e.g. %1, …</source>
        <translation>例如 %1, …</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Sweeps</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>%1 gives %2; expected whole numbers</source>
        <translation>%1 得到 %2；应为整数</translation>
    </message>
    <message>
        <source>expected START:STOP:COUNT, e.g. 0:1:5 or 0.001:1:4 log</source>
        <translation>应为“起始:结束:个数”，例如 0:1:5 或 0.001:1:4 log</translation>
    </message>
    <message>
        <source>“%1” is not a range; %2</source>
        <translation>“%1”不是范围；%2</translation>
    </message>
    <message>
        <source>“%1” has %2 values; expected 2 to %3</source>
        <translation>“%1”有 %2 个值；应为 2 到 %3 个</translation>
    </message>
    <message>
        <source>“%1” starts and stops at the same value; expected different values</source>
        <translation>“%1”的起始值与结束值相同；应为不同的值</translation>
    </message>
    <message>
        <source>“%1”: a log range needs a start and stop above 0; list 0 separately: 0, 0.001:1:4 log</source>
        <translation>“%1”：对数范围的起始值和结束值须大于 0；请单独列出 0：0, 0.001:1:4 log</translation>
    </message>
    <message>
        <source>Empty entry between two commas; expected a value</source>
        <translation>两个逗号之间为空；应有一个值</translation>
    </message>
    <message>
        <source>“%1” is not on or off; expected on or off</source>
        <translation>“%1”不是 on 或 off；应为 on 或 off</translation>
    </message>
    <message>
        <source>More than %1 values; expected at most %1</source>
        <translation>超过 %1 个值；最多应为 %1 个</translation>
    </message>
    <message>
        <source>Forecasts</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>errors windows difficulty strata</source>
        <translation>误差 窗口 难度 分层 errors windows difficulty strata</translation>
    </message>
    <message>
        <source>Sorting windows by %1</source>
        <translation>正在按 %1 为窗口分层</translation>
    </message>
    <message>
        <source>: %1 %</source>
        <translation>：%1 %</translation>
    </message>
    <message>
        <source>, then %1 more</source>
        <translation>，之后还有 %1 个</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>%1 of %2 %3</source>
        <translation>%1/%2 个%3</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>seeds</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>配对</translation>
    </message>
    <message>
        <source>, bold</source>
        <translation>，粗体</translation>
    </message>
    <message>
        <source>, underlined</source>
        <translation>，下划线</translation>
    </message>
    <message>
        <source>Ours: %1%2, %3</source>
        <translation>本程序：%1%2，%3</translation>
    </message>
    <message>
        <source>Paper: %1%2</source>
        <translation>论文：%1%2</translation>
    </message>
    <message>
        <source>Difference: %1</source>
        <translation>差值：%1</translation>
    </message>
    <message>
        <source>Note%1: %2.</source>
        <translation>注%1：%2。</translation>
    </message>
    <message>
        <source>This version cannot make these runs: %1</source>
        <translation>此版本无法进行这些运行：%1</translation>
    </message>
    <message>
        <source>Printed values: label %1 in the paper&apos;s LaTeX source.</source>
        <translation>印刷值：论文 LaTeX 源文件中的标签 %1。</translation>
    </message>
    <message>
        <source>%1 runs need models or data that this version does not have.</source>
        <translation>%1 个运行需要此版本没有的模型或数据。</translation>
    </message>
    <message>
        <source>All runs of this table are finished.</source>
        <translation>此表的所有运行均已完成。</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>论文</translation>
    </message>
    <message>
        <source>tables reproduce published values evidence LaTeX missing runs</source>
        <translation>表格 复现 发表值 证据 缺少的运行 tables reproduce published values evidence LaTeX missing runs</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Shows the run in the views (Space)</source>
        <translation>在视图中显示该运行（Space）</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>The run&apos;s colour in all views, stored with the run</source>
        <translation>该运行在所有视图中的颜色，随运行存储</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Current state of the run, or how it ended</source>
        <translation>运行的当前状态，或其结束方式</translation>
    </message>
    <message>
        <source>Name of the run&apos;s folder</source>
        <translation>运行文件夹的名称</translation>
    </message>
    <message>
        <source>Name of the experiment the run belongs to</source>
        <translation>运行所属实验的名称</translation>
    </message>
    <message>
        <source>Data set or CSV file</source>
        <translation>数据集或 CSV 文件</translation>
    </message>
    <message>
        <source>Look-back L and horizon H, in rows of the file</source>
        <translation>回看窗口 L 和预测步长 H，以文件的行计</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>创建时间</translation>
    </message>
    <message>
        <source>When the run was first queued or started, UTC</source>
        <translation>运行首次排队或启动的时间，UTC</translation>
    </message>
    <message>
        <source>Updated</source>
        <translation>更新时间</translation>
    </message>
    <message>
        <source>Time of the last change of state, UTC</source>
        <translation>状态最近一次变化的时间，UTC</translation>
    </message>
    <message>
        <source>Forked from</source>
        <translation>分支自</translation>
    </message>
    <message>
        <source>The run from whose checkpoint this one started</source>
        <translation>本运行以其检查点为起点的运行</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Your note on this run (F2 to edit)</source>
        <translation>您对此运行的备注（按 F2 编辑）</translation>
    </message>
    <message>
        <source>There is no column “%1”. </source>
        <translation>没有名为“%1”的列。 </translation>
    </message>
    <message>
        <source>Try lambda_cov, seed, mse, mae, state, data or note.</source>
        <translation>请试 lambda_cov、seed、mse、mae、state、data 或 note。</translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation>您是否想输入 %1？</translation>
    </message>
    <message>
        <source>Type a value after “%1%2”.</source>
        <translation>请在“%1%2”后输入一个值。</translation>
    </message>
    <message>
        <source>“%1” is not a number; write for example %2%3%4.</source>
        <translation>“%1”不是数字；例如可写 %2%3%4。</translation>
    </message>
    <message>
        <source>%1%2 takes one number.</source>
        <translation>%1%2 只接受一个数字。</translation>
    </message>
    <message>
        <source>%1 is text: write %1:%2.</source>
        <translation>%1 是文本：请写 %1:%2。</translation>
    </message>
    <message>
        <source>No state is called “%1”. States: queued, running, finished, finished_early, cancelled, interrupted, failed.</source>
        <translation>没有名为“%1”的状态。可用状态：queued、running、finished、finished_early、cancelled、interrupted、failed。</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Forks</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>loss validation error curves</source>
        <translation>损失 验证 误差 曲线 loss validation error curves</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>under 1 s</source>
        <translation>不到 1 秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Close other files or programs, or use fewer columns.</source>
        <translation>请关闭其他文件或程序，或使用较少的列。</translation>
    </message>
    <message>
        <source>the file no longer exists</source>
        <translation>文件已不存在</translation>
    </message>
    <message>
        <source>Its content shown here was read earlier. Restore the file and read it again, or close it here.</source>
        <translation>此处显示的是之前读取的内容。请恢复文件后重新读取，或在此处将其关闭。</translation>
    </message>
    <message>
        <source>the file has changed since it was read</source>
        <translation>文件在读取后已更改</translation>
    </message>
    <message>
        <source>This page shows the earlier content; a run would use the current one. Read the file again.</source>
        <translation>此页显示之前的内容；运行会使用当前内容。请重新读取文件。</translation>
    </message>
    <message>
        <source>best checkpoint</source>
        <translation>最佳检查点</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 %2 window</source>
        <translation>%1 个%2窗口</translation>
    </message>
    <message>
        <source>%1 %2 windows</source>
        <translation>%1 个%2窗口</translation>
    </message>
    <message>
        <source>%1 channel</source>
        <translation>%1 个通道</translation>
    </message>
    <message>
        <source> × %1 patches</source>
        <translation> × %1 个片段</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>%1 windows</source>
        <translation>%1 个窗口</translation>
    </message>
    <message>
        <source>, prefix only</source>
        <translation>，仅前缀</translation>
    </message>
    <message>
        <source>%1 is running. Cancel it first.</source>
        <translation>%1 正在运行。请先取消它。</translation>
    </message>
    <message>
        <source>%1 waits in the queue. Cancel it first.</source>
        <translation>%1 在队列中等待。请先取消它。</translation>
    </message>
    <message>
        <source>%1 (imported)</source>
        <translation>%1（导入）</translation>
    </message>
    <message>
        <source>%1window %2</source>
        <translation>%1窗口 %2</translation>
    </message>
    <message>
        <source>%1 %2windows</source>
        <translation>%1 个%2窗口</translation>
    </message>
    <message>
        <source>channel %1</source>
        <translation>通道 %1</translation>
    </message>
    <message>
        <source>1 point</source>
        <translation>1 个点</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 个点</translation>
    </message>
    <message>
        <source>1 channel</source>
        <translation>1 个通道</translation>
    </message>
    <message>
        <source>%1 of %2 × %3</source>
        <translation>%2 × %3 中的 %1</translation>
    </message>
    <message>
        <source>Usage over training appears with the first snapshot.</source>
        <translation>训练期间的使用次数从第一个快照起显示。</translation>
    </message>
    <message>
        <source>Compare forecasts of other code with your runs</source>
        <translation>将其他代码的预测与您的运行比较</translation>
    </message>
    <message>
        <source>Drop a results folder with &lt;code&gt;pred.npy&lt;/code&gt; and &lt;code&gt;true.npy&lt;/code&gt; on the window, as the Time-Series-Library, PatchTST, iTransformer and S2IP-LLM write it, choose the data set, and press &lt;b&gt;Import&lt;/b&gt;.</source>
        <translation>将含 &lt;code&gt;pred.npy&lt;/code&gt; 和 &lt;code&gt;true.npy&lt;/code&gt; 的结果文件夹（如 Time-Series-Library、PatchTST、iTransformer 和 S2IP-LLM 所写）拖放到主窗口，选择数据集，然后按&lt;b&gt;导入&lt;/b&gt;。</translation>
    </message>
    <message>
        <source>The audit determines from the values which test windows the arrays contain, which scaler was used and how the channels are ordered. The forecasts become a run: for the views, Compare, tables and figures.</source>
        <translation>审核根据数值判断数组包含哪些测试窗口、使用了哪个标准化器、通道如何排列。这些预测会成为一个运行，可用于视图、比较、表格和图。</translation>
    </message>
    <message>
        <source>%1 (window %2)</source>
        <translation>%1（窗口 %2）</translation>
    </message>
    <message>
        <source>%1 (windows %2)</source>
        <translation>%1（窗口 %2）</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Not a known benchmark file.</source>
        <translation>不是已知的基准文件。</translation>
    </message>
    <message>
        <source>content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>The file has other bytes.</source>
        <translation>文件的字节不同。</translation>
    </message>
    <message>
        <source> Losses and errors are over %1.</source>
        <translation> 损失和误差只计 %1。</translation>
    </message>
    <message>
        <source>train</source>
        <translation>训练集</translation>
    </message>
    <message>
        <source>val</source>
        <translation>验证集</translation>
    </message>
    <message>
        <source>The first date of %1 is missing</source>
        <translation>缺少%1第一行的日期</translation>
    </message>
    <message>
        <source>The fraction for %1 is missing</source>
        <translation>缺少%1的比例</translation>
    </message>
    <message>
        <source>The row count for %1 is missing</source>
        <translation>缺少%1的行数</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Forecasting model</source>
        <translation>预测模型</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>★ Lowest validation error of two or more runs with the same task, model and training budget
(epochs, steps and percentage of the training rows)</source>
        <translation>★ 任务、模型和训练预算（轮数、步数和所用训练行的百分比）相同的两个或更多运行中
最低的验证误差</translation>
    </message>
    <message>
        <source>Write %1:yes or %1:no.</source>
        <translation>请写 %1:yes 或 %1:no。</translation>
    </message>
    <message>
        <source>Words match name, experiment, data, model, note or state.
Terms compare columns: lambda_cov&gt;0.05   state:finished   mse&lt;=0.4   seed=2021,2022   model:dlinear   best:yes   shown:yes
A leading minus negates a term: -data:weather. Quote text with spaces: note:&quot;too short&quot;.</source>
        <translation>词语匹配名称、实验、数据、模型、备注或状态。
条件比较各列：lambda_cov&gt;0.05   state:finished   mse&lt;=0.4   seed=2021,2022   model:dlinear   best:yes   shown:yes
前置减号表示否定：-data:weather。含空格的文本请加引号：note:&quot;too short&quot;。</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Undoes the last edit of the experiment</source>
        <translation>撤销对实验的上一次编辑</translation>
    </message>
    <message>
        <source>back revert</source>
        <translation>撤回 恢复 back revert</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Redoes the last undone edit</source>
        <translation>重做上一次撤销的编辑</translation>
    </message>
    <message>
        <source>again</source>
        <translation>再次 again</translation>
    </message>
    <message>
        <source>&amp;Undo %1</source>
        <translation>撤销 %1(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation>重做 %1(&amp;R)</translation>
    </message>
    <message>
        <source>Selection &amp;back</source>
        <translation>上一选择(&amp;B)</translation>
    </message>
    <message>
        <source>The selection before this one</source>
        <translation>此选择之前的选择</translation>
    </message>
    <message>
        <source>previous history</source>
        <translation>上一个 历史 previous history</translation>
    </message>
    <message>
        <source>Selection &amp;forward</source>
        <translation>下一选择(&amp;F)</translation>
    </message>
    <message>
        <source>The selection after this one</source>
        <translation>此选择之后的选择</translation>
    </message>
    <message>
        <source>next history</source>
        <translation>下一个 历史 next history</translation>
    </message>
    <message>
        <source>&amp;Clear selection</source>
        <translation>清除选择(&amp;C)</translation>
    </message>
    <message>
        <source>Clears the selected windows, anchors, channels and step; restores an enlarged view first</source>
        <translation>清除所选的窗口、锚点、通道和步；先还原放大的视图</translation>
    </message>
    <message>
        <source>nothing deselect</source>
        <translation>取消选择 空 nothing deselect</translation>
    </message>
    <message>
        <source>Go to c&amp;hannel…</source>
        <translation>转到通道(&amp;H)…</translation>
    </message>
    <message>
        <source>Moves the focus to the channel search of the open table</source>
        <translation>将焦点移到打开的表格的通道搜索框</translation>
    </message>
    <message>
        <source>data column variable find jump</source>
        <translation>数据 列 变量 查找 跳转 data column variable find jump</translation>
    </message>
    <message>
        <source>Reset the &amp;experiment</source>
        <translation>重置实验(&amp;E)</translation>
    </message>
    <message>
        <source>Resets all settings to the preset or the defaults</source>
        <translation>将所有设置恢复为预设值或默认值</translation>
    </message>
    <message>
        <source>defaults</source>
        <translation>默认值 defaults</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>csv data toml load import</source>
        <translation>数据 加载 导入 csv data toml load import</translation>
    </message>
    <message>
        <source>Folder of &amp;runs…</source>
        <translation>运行文件夹(&amp;R)…</translation>
    </message>
    <message>
        <source>Chooses the folder of runs</source>
        <translation>选择运行文件夹</translation>
    </message>
    <message>
        <source>output directory results</source>
        <translation>输出 目录 结果 output directory results</translation>
    </message>
    <message>
        <source>Re&amp;mote folder of runs…</source>
        <translation>远程运行文件夹(&amp;M)…</translation>
    </message>
    <message>
        <source>Shows runs of another machine, over ssh</source>
        <translation>通过 ssh 显示其他机器上的运行</translation>
    </message>
    <message>
        <source>ssh cluster server host connect</source>
        <translation>集群 服务器 主机 连接 ssh cluster server host connect</translation>
    </message>
    <message>
        <source>&amp;Import forecasts…</source>
        <translation>导入预测(&amp;I)…</translation>
    </message>
    <message>
        <source>Forecasts made by other code (pred.npy, true.npy) become a run, audited</source>
        <translation>其他代码的预测（pred.npy、true.npy）成为一个经过审核的运行</translation>
    </message>
    <message>
        <source>results audit npy numpy foreign</source>
        <translation>结果 审核 外部 results audit npy numpy foreign</translation>
    </message>
    <message>
        <source>Sample &amp;data set</source>
        <translation>示例数据集(&amp;D)</translation>
    </message>
    <message>
        <source>Opens the data set that ships with the program</source>
        <translation>打开随程序提供的数据集</translation>
    </message>
    <message>
        <source>example demo csv</source>
        <translation>示例 演示 example demo csv</translation>
    </message>
    <message>
        <source>&amp;Use the open file</source>
        <translation>使用打开的文件(&amp;U)</translation>
    </message>
    <message>
        <source>Trains the next experiment on the file shown on the Data page</source>
        <translation>用“数据”页显示的文件训练下一个实验</translation>
    </message>
    <message>
        <source>csv data set train take</source>
        <translation>数据集 训练 采用 csv data set train take</translation>
    </message>
    <message>
        <source>Open a CSV file first.</source>
        <translation>请先打开一个 CSV 文件。</translation>
    </message>
    <message>
        <source>C&amp;lose the open file</source>
        <translation>关闭打开的文件(&amp;L)</translation>
    </message>
    <message>
        <source>Closes the file shown on the Data page; the file is not deleted</source>
        <translation>关闭“数据”页显示的文件；文件不会被删除</translation>
    </message>
    <message>
        <source>csv data tab</source>
        <translation>数据 标签页 csv data tab</translation>
    </message>
    <message>
        <source>No file is open.</source>
        <translation>没有打开的文件。</translation>
    </message>
    <message>
        <source>&amp;Get data or GPT-2…</source>
        <translation>获取数据或 GPT-2(&amp;G)…</translation>
    </message>
    <message>
        <source>Downloads benchmark data sets and the backbone from their public addresses</source>
        <translation>从公开地址下载基准数据集和骨干网络</translation>
    </message>
    <message>
        <source>download catalogue backbone etth1 weather</source>
        <translation>下载 目录 骨干网络 download catalogue backbone etth1 weather</translation>
    </message>
    <message>
        <source>&amp;Save experiment as…</source>
        <translation>实验另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>Saves the experiment as a TOML file</source>
        <translation>将实验保存为 TOML 文件</translation>
    </message>
    <message>
        <source>toml configuration write</source>
        <translation>配置 写入 toml configuration write</translation>
    </message>
    <message>
        <source>Copy experiment as &amp;TOML</source>
        <translation>将实验复制为 TOML(&amp;T)</translation>
    </message>
    <message>
        <source>Copies the experiment as TOML, with all settings written out</source>
        <translation>将实验复制为 TOML，并写出所有设置</translation>
    </message>
    <message>
        <source>configuration clipboard settings</source>
        <translation>配置 剪贴板 设置 configuration clipboard settings</translation>
    </message>
    <message>
        <source>The experiment was copied to the clipboard as TOML.</source>
        <translation>实验已作为 TOML 复制到剪贴板。</translation>
    </message>
    <message>
        <source>Export &amp;checkpoint…</source>
        <translation>导出检查点(&amp;C)…</translation>
    </message>
    <message>
        <source>The weights of the highlighted run at its best validation MSE, as safetensors</source>
        <translation>高亮运行在验证 MSE 最佳时的权重，格式为 safetensors</translation>
    </message>
    <message>
        <source>weights safetensors model save</source>
        <translation>权重 模型 保存 weights safetensors model save</translation>
    </message>
    <message>
        <source>Export &amp;forecasts…</source>
        <translation>导出预测(&amp;F)…</translation>
    </message>
    <message>
        <source>The stored test forecasts of the highlighted run, as a long table or as NumPy arrays</source>
        <translation>高亮运行所存储的测试预测，格式为长表或 NumPy 数组</translation>
    </message>
    <message>
        <source>csv npy numpy predictions save</source>
        <translation>预测 保存 csv npy numpy predictions save</translation>
    </message>
    <message>
        <source>Export &amp;checkpoint of %1…</source>
        <translation>导出 %1 的检查点(&amp;C)…</translation>
    </message>
    <message>
        <source>Export &amp;forecasts of %1…</source>
        <translation>导出 %1 的预测(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Closes the window. Running runs save a checkpoint first.</source>
        <translation>关闭主窗口。正在进行的运行会先保存检查点。</translation>
    </message>
    <message>
        <source>exit close</source>
        <translation>退出 关闭 exit close</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Help on this panel</source>
        <translation>此面板的帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Explains the current panel</source>
        <translation>说明当前面板</translation>
    </message>
    <message>
        <source>explain manual</source>
        <translation>说明 手册 explain manual</translation>
    </message>
    <message>
        <source>&amp;Keyboard</source>
        <translation>键盘(&amp;K)</translation>
    </message>
    <message>
        <source>All shortcuts</source>
        <translation>所有快捷键</translation>
    </message>
    <message>
        <source>shortcuts keys</source>
        <translation>快捷键 按键 shortcuts keys</translation>
    </message>
    <message>
        <source>&amp;About CASP Studio</source>
        <translation>关于 CASP Studio(&amp;A)</translation>
    </message>
    <message>
        <source>Version, licences, how to cite</source>
        <translation>版本、许可证、引用方式</translation>
    </message>
    <message>
        <source>licence version citation</source>
        <translation>许可证 版本 引用 licence version citation</translation>
    </message>
    <message>
        <source>The environment variable CASP_LANGUAGE overrides the language chosen here.</source>
        <translation>环境变量 CASP_LANGUAGE 优先于此处选择的语言。</translation>
    </message>
    <message>
        <source>The new language is used from the next start on.</source>
        <translation>新语言将在下次启动时生效。</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>语言(&amp;G)</translation>
    </message>
    <message>
        <source>Language of the window, from the next start on</source>
        <translation>主窗口的语言，下次启动时生效</translation>
    </message>
    <message>
        <source>language</source>
        <translation>语言 language</translation>
    </message>
    <message>
        <source>&amp;System language</source>
        <translation>系统语言(&amp;S)</translation>
    </message>
    <message>
        <source>&lt;p&gt;Expected: %1&lt;/p&gt;&lt;p&gt;Default: %2&lt;/p&gt;</source>
        <translation>&lt;p&gt;应为：%1&lt;/p&gt;&lt;p&gt;默认值：%2&lt;/p&gt;</translation>
    </message>
    <message>
        <source>%1. Expected: %2.</source>
        <translation>%1。应为：%2。</translation>
    </message>
    <message>
        <source>1 run is missing.</source>
        <translation>缺少 1 次运行。</translation>
    </message>
    <message>
        <source>%1 runs are missing.</source>
        <translation>缺少 %1 次运行。</translation>
    </message>
    <message>
        <source>Large export</source>
        <translation>大型导出</translation>
    </message>
    <message>
        <source>Export about %1?</source>
        <translation>导出约 %1？</translation>
    </message>
    <message>
        <source>It takes %1 and can be cancelled.</source>
        <translation>需要%1，可以取消。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>log.txt output warnings epochs failed</source>
        <translation>log.txt 输出 警告 轮次 失败</translation>
    </message>
    <message>
        <source>Tr&amp;y the open file</source>
        <translation>试一试打开的文件(&amp;Y)</translation>
    </message>
    <message>
        <source>Trains a small model on the file shown on the Data page, with λ_cov 0 and 0.1</source>
        <translation>用数据页面上显示的文件训练一个小模型，λ_cov 为 0 和 0.1</translation>
    </message>
    <message>
        <source>csv data set first look</source>
        <translation>csv 数据集 初览 试一试</translation>
    </message>
    <message>
        <source>Opens data files, an experiment (TOML) or a model (Python)</source>
        <translation>打开数据文件、实验（TOML）或模型（Python）</translation>
    </message>
    <message>
        <source>&amp;Edit the model&apos;s file</source>
        <translation>编辑模型文件(&amp;E)</translation>
    </message>
    <message>
        <source>Opens the Python file of the form&apos;s model in its editor</source>
        <translation>在编辑器中打开表单所选模型的 Python 文件</translation>
    </message>
    <message>
        <source>python code source</source>
        <translation>python 代码 源文件</translation>
    </message>
    <message>
        <source>is not a list of entries such as d_model = 256, dropout = 0.1</source>
        <translation>不是形如 d_model = 256, dropout = 0.1 的条目列表</translation>
    </message>
    <message>
        <source>Run the Python file of this run?</source>
        <translation>要执行该运行的 Python 文件吗？</translation>
    </message>
    <message>
        <source>Using the run executes the file, with your rights. Read it first, if the run came from somebody else.</source>
        <translation>使用该运行会以您的权限执行此文件。如果该运行来自他人，请先阅读文件内容。</translation>
    </message>
    <message>
        <source>Run the file</source>
        <translation>执行该文件</translation>
    </message>
    <message>
        <source>The model of the run %1 is a Python file that was not run on this computer before.</source>
        <translation>运行 %1 的模型是一个 Python 文件，此前未在这台计算机上运行过。</translation>
    </message>
    <message>
        <source>Gradient norms of the loss terms appear here for runs that store them: set run.gradient_steps.</source>
        <translation>这里显示各损失项的梯度范数，仅限保存了它们的运行：请设置 run.gradient_steps。</translation>
    </message>
</context>
<context>
    <name>casp::gui::AboutDialog</name>
    <message>
        <source>About CASP Studio</source>
        <translation>关于 CASP Studio</translation>
    </message>
    <message>
        <source>Version and licences</source>
        <translation>版本和许可证</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copies version and licences, for example for a bug report</source>
        <translation>复制版本和许可证，例如用于错误报告</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Closes this window (Esc)</source>
        <translation>关闭此窗口（Esc）</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source># CASP Studio %1

%5

Trains, evaluates and examines CASP-LLM: forecasting time series with a language model and coverage-aware prompt selection.

Free software under the **GNU General Public License, version 3 or later**, with a permission to link NVIDIA&apos;s libraries. It comes without any warranty. No telemetry: the network is used only when you download a file or open a folder on another machine.

| uses | version | licence |
|---|---|---|
| Qt, Qt Svg, Qt OpenGL | %2 | LGPL-3.0 |
| Qt Charts | %2 | GPL-3.0 |
| VTK | %3 | BSD-3-Clause |
| LibTorch | 2.11 | BSD-3-Clause |
| HDF5 | %4 | BSD style |
| fast_float | | Apache-2.0 |
| date | | MIT |
| OpenSSL | | Apache-2.0 |
| libcurl | | curl |
| zlib | | Zlib |
| libarchive | | BSD-2-Clause |
| CLI11 | | BSD-3-Clause |
| toml++, JSON for Modern C++, spdlog, {fmt} | | MIT |
| Mesa, libxkbcommon, libxcb | | MIT; part of the system |
| DejaVu fonts | | Bitstream Vera; part of the system |
| CUDA runtime, CUPTI | | NVIDIA Software License Agreement |
| cuBLAS, cuDNN, cuFFT, cuRAND, cuSOLVER, cuSPARSE, cuSPARSELt, cuFile, NVRTC, nvJitLink, NVTX, NVSHMEM | | NVIDIA&apos;s agreements; only with CUDA |
| NCCL | | BSD-3-Clause; only with CUDA |

**How to cite**: the paper *Beyond Similarity: Coverage-Aware Prompt Selection for Time Series Forecasting with LLMs* and this program (CITATION.cff).
</source>
        <translation># CASP Studio %1

%5

训练、评估和研究 CASP-LLM：用语言模型和覆盖感知的提示选择预测时间序列。

自由软件，采用 **GNU 通用公共许可证第 3 版或更高版本**，并允许链接 NVIDIA 的库。本程序不附带任何担保。无遥测：仅在您下载文件或打开其他机器上的文件夹时才使用网络。

| 使用的组件 | 版本 | 许可证 |
|---|---|---|
| Qt, Qt Svg, Qt OpenGL | %2 | LGPL-3.0 |
| Qt Charts | %2 | GPL-3.0 |
| VTK | %3 | BSD-3-Clause |
| LibTorch | 2.11 | BSD-3-Clause |
| HDF5 | %4 | BSD 类许可证 |
| fast_float | | Apache-2.0 |
| date | | MIT |
| OpenSSL | | Apache-2.0 |
| libcurl | | curl |
| zlib | | Zlib |
| libarchive | | BSD-2-Clause |
| CLI11 | | BSD-3-Clause |
| toml++, JSON for Modern C++, spdlog, {fmt} | | MIT |
| Mesa, libxkbcommon, libxcb | | MIT；系统的一部分 |
| DejaVu 字体 | | Bitstream Vera；系统的一部分 |
| CUDA runtime, CUPTI | | NVIDIA Software License Agreement |
| cuBLAS, cuDNN, cuFFT, cuRAND, cuSOLVER, cuSPARSE, cuSPARSELt, cuFile, NVRTC, nvJitLink, NVTX, NVSHMEM | | NVIDIA 的协议；仅与 CUDA 一起 |
| NCCL | | BSD-3-Clause；仅与 CUDA 一起 |

**如何引用**：论文 *Beyond Similarity: Coverage-Aware Prompt Selection for Time Series Forecasting with LLMs* 和本程序（CITATION.cff）。
</translation>
    </message>
</context>
<context>
    <name>casp::gui::ClusterJobs</name>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>S&amp;ubmit…</source>
        <translation>提交(&amp;U)…</translation>
    </message>
    <message>
        <source>Submits the experiment to a cluster (Slurm) as a job array of workers</source>
        <translation>将实验作为由工作进程组成的作业数组提交到集群（Slurm）</translation>
    </message>
    <message>
        <source>slurm sbatch cluster queue array</source>
        <translation>集群 提交 队列 数组 作业 slurm sbatch cluster queue array</translation>
    </message>
    <message>
        <source>The folder of runs is on %1. Submit there (caspstudio --submit FILE --scheduler slurm), or open a folder on this machine first (Ctrl+Shift+O).</source>
        <translation>运行文件夹在 %1 上。请在那里提交（caspstudio --submit FILE --scheduler slurm），或先打开本机上的文件夹（Ctrl+Shift+O）。</translation>
    </message>
    <message>
        <source>Cannot submit yet: %1</source>
        <translation>尚不能提交：%1</translation>
    </message>
    <message>
        <source>Slurm job %1 was submitted; its runs go to %2.</source>
        <translation>Slurm 作业 %1 已提交；其运行写入 %2。</translation>
    </message>
    <message>
        <source>The script was saved: sbatch %1</source>
        <translation>脚本已保存：sbatch %1</translation>
    </message>
</context>
<context>
    <name>casp::gui::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Actions found</source>
        <translation>找到的操作</translation>
    </message>
    <message>
        <source>Matching actions; Enter or a click runs one</source>
        <translation>匹配的操作；按 Enter 或单击即执行</translation>
    </message>
    <message>
        <source>Search actions and settings</source>
        <translation>搜索操作和设置</translation>
    </message>
    <message>
        <source>Type a few letters of an action or a setting. Enter runs the action or goes to the setting, Esc closes the list.</source>
        <translation>输入操作或设置的几个字母。回车执行操作或转到设置，Esc 关闭列表。</translation>
    </message>
    <message>
        <source>No action or setting matches; try fewer letters</source>
        <translation>没有匹配的操作或设置；请少输入几个字母</translation>
    </message>
</context>
<context>
    <name>casp::gui::Docks</name>
    <message>
        <source>Shows or hides the panel %1</source>
        <translation>显示或隐藏面板“%1”</translation>
    </message>
</context>
<context>
    <name>casp::gui::EmbeddingActions</name>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Embeddings</source>
        <translation>嵌入(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Compute embeddings</source>
        <translation>计算嵌入(&amp;C)</translation>
    </message>
    <message>
        <source>Runs the windows through the best weights of the shown runs</source>
        <translation>用所显示运行的最佳权重处理各窗口</translation>
    </message>
    <message>
        <source>Embeddings are being computed, or the page shows the probe, which needs no computing.</source>
        <translation>正在计算嵌入，或页面显示的是无需计算的探针。</translation>
    </message>
    <message>
        <source>&amp;Store embeddings in the run</source>
        <translation>将嵌入存入运行(&amp;S)</translation>
    </message>
    <message>
        <source>Stores the computed embeddings in the run&apos;s arrays.h5</source>
        <translation>将计算得到的嵌入存入运行的 arrays.h5</translation>
    </message>
    <message>
        <source>All computed embeddings are stored already.</source>
        <translation>所有计算得到的嵌入都已存储。</translation>
    </message>
    <message>
        <source>Start a &amp;t-SNE</source>
        <translation>开始 t-SNE(&amp;T)</translation>
    </message>
    <message>
        <source>Computes a new layout of the embeddings of the shown runs</source>
        <translation>为所显示运行的嵌入计算新布局</translation>
    </message>
    <message>
        <source>embeddings points layout</source>
        <translation>嵌入 点 布局 embeddings points layout</translation>
    </message>
    <message>
        <source>A t-SNE is running already.</source>
        <translation>已有 t-SNE 正在进行。</translation>
    </message>
    <message>
        <source>No t-SNE is running.</source>
        <translation>没有正在进行的 t-SNE。</translation>
    </message>
    <message>
        <source>&amp;Pause or continue the t-SNE</source>
        <translation>暂停或继续 t-SNE(&amp;P)</translation>
    </message>
    <message>
        <source>Pauses the t-SNE, or resumes it</source>
        <translation>暂停 t-SNE，或继续</translation>
    </message>
    <message>
        <source>Stop and &amp;keep the t-SNE</source>
        <translation>停止并保留 t-SNE(&amp;K)</translation>
    </message>
    <message>
        <source>Stops the t-SNE and keeps the current layout</source>
        <translation>停止 t-SNE 并保留当前布局</translation>
    </message>
    <message>
        <source>Store the &amp;layout</source>
        <translation>存储布局(&amp;L)</translation>
    </message>
    <message>
        <source>Stores the layout in the runs&apos; arrays.h5</source>
        <translation>将布局存入各运行的 arrays.h5</translation>
    </message>
    <message>
        <source>No t-SNE has finished yet: start one.</source>
        <translation>尚无已完成的 t-SNE：请先开始一个。</translation>
    </message>
    <message>
        <source>t-SNE vectors points layout</source>
        <translation>向量 点 布局 t-SNE vectors points layout</translation>
    </message>
</context>
<context>
    <name>casp::gui::FetchPanel</name>
    <message>
        <source>%1 cannot be accessed: %2.</source>
        <translation>无法访问 %1：%2。</translation>
    </message>
    <message>
        <source>Get data or GPT-2</source>
        <translation>获取数据或 GPT-2</translation>
    </message>
    <message>
        <source>Known data sets and the GPT-2 backbone. Nothing is downloaded before you press Get. Every file is checked against its digest if one is known; no file is executed.</source>
        <translation>已知的数据集和 GPT-2 骨干网络。按“获取”之前不会下载任何内容。校验和已知的文件都会核对；不会执行任何文件。</translation>
    </message>
    <message>
        <source>Catalogue</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Choose an entry, then press Get</source>
        <translation>选择一个条目，然后按“获取”</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>About the chosen entry</source>
        <translation>关于所选条目</translation>
    </message>
    <message>
        <source>Source and licence of the file</source>
        <translation>文件的来源和许可证</translation>
    </message>
    <message>
        <source>Progress of the download</source>
        <translation>下载进度</translation>
    </message>
    <message>
        <source>State of the download</source>
        <translation>下载状态</translation>
    </message>
    <message>
        <source>&amp;Get</source>
        <translation>获取(&amp;G)</translation>
    </message>
    <message>
        <source>Downloads the selected entry from its public address</source>
        <translation>从所选条目的公开地址下载</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>Opens the data set on the Data page</source>
        <translation>在“数据”页打开该数据集</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>✓ present</source>
        <translation>✓ 已有</translation>
    </message>
    <message>
        <source>manual</source>
        <translation>手动</translation>
    </message>
    <message>
        <source>can be downloaded</source>
        <translation>可下载</translation>
    </message>
    <message>
        <source>Licence: %1. </source>
        <translation>许可证：%1。 </translation>
    </message>
    <message>
        <source>From %1. </source>
        <translation>来自 %1。 </translation>
    </message>
    <message>
        <source>No working public address is known. Download it yourself from %1 and save it as %2.</source>
        <translation>没有已知的可用公开地址。请自行从 %1 下载，并保存为 %2。</translation>
    </message>
    <message>
        <source>%1 is at %2</source>
        <translation>%1 位于 %2</translation>
    </message>
    <message>
        <source>%1. </source>
        <translation>%1。 </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Progress of the download, which can be cancelled; if a checksum is known, Get resumes it later</source>
        <translation>下载进度；可取消，若校验和已知，之后按“获取”可继续</translation>
    </message>
    <message>
        <source>Stops the download; Get resumes it if a checksum is known, otherwise starts again</source>
        <translation>停止下载；若校验和已知，按“获取”可继续，否则重新开始</translation>
    </message>
    <message>
        <source>%1: cancelled; Get resumes the download, or starts it again</source>
        <translation>%1：已取消；按“获取”可继续下载，或重新开始</translation>
    </message>
</context>
<context>
    <name>casp::gui::FigureActions</name>
    <message>
        <source>Fi&amp;gures</source>
        <translation>图(&amp;G)</translation>
    </message>
    <message>
        <source>No view is visible: open Training or another page first.</source>
        <translation>没有可见的视图：请先打开“训练”或其他页面。</translation>
    </message>
    <message>
        <source>chart picture save clipboard</source>
        <translation>图表 图片 保存 剪贴板 chart picture save clipboard</translation>
    </message>
    <message>
        <source>Export this &amp;view…</source>
        <translation>导出此视图(&amp;V)…</translation>
    </message>
    <message>
        <source>PNG, SVG, PDF and CSV of the current view</source>
        <translation>当前视图的 PNG、SVG、PDF 和 CSV</translation>
    </message>
    <message>
        <source>Copy &amp;picture of this view</source>
        <translation>复制此视图的图片(&amp;P)</translation>
    </message>
    <message>
        <source>Copies the current view to the clipboard as a picture</source>
        <translation>将当前视图作为图片复制到剪贴板</translation>
    </message>
    <message>
        <source>Copy &amp;numbers of this view</source>
        <translation>复制此视图的数值(&amp;N)</translation>
    </message>
    <message>
        <source>Copies the numbers of the current view as CSV, unsmoothed and at full resolution</source>
        <translation>将当前视图的数值复制为 CSV，未平滑，完整分辨率</translation>
    </message>
    <message>
        <source>&amp;Settings of the shown runs</source>
        <translation>所显示运行的设置(&amp;S)</translation>
    </message>
    <message>
        <source>The settings of the runs in the current view, beside their results</source>
        <translation>当前视图中各运行的设置，与其结果并列</translation>
    </message>
    <message>
        <source>configuration difference toml</source>
        <translation>配置 差异 configuration difference toml</translation>
    </message>
    <message>
        <source>En&amp;large this view</source>
        <translation>放大此视图(&amp;L)</translation>
    </message>
    <message>
        <source>Lets the current view fill the centre, or puts it back</source>
        <translation>使当前视图占满中央区域，或将其还原</translation>
    </message>
    <message>
        <source>maximise full size</source>
        <translation>最大化 全尺寸 maximise full size</translation>
    </message>
    <message>
        <source>anchors selections clipboard paper</source>
        <translation>锚点 选择 剪贴板 论文 anchors selections clipboard paper</translation>
    </message>
    <message>
        <source>Copies the anchors that each shown run selects (page Anchors) as a Markdown table</source>
        <translation>将各显示运行所选的锚点（“锚点”页）复制为 Markdown 表格</translation>
    </message>
    <message>
        <source>Copies the anchors that each shown run selects (page Anchors) as a LaTeX table</source>
        <translation>将各显示运行所选的锚点（“锚点”页）复制为 LaTeX 表格</translation>
    </message>
    <message>
        <source>&amp;Export all open views…</source>
        <translation>导出所有打开的视图(&amp;E)…</translation>
    </message>
    <message>
        <source>PNG, SVG, PDF and CSV of every open view</source>
        <translation>每个打开的视图的 PNG、SVG、PDF 和 CSV</translation>
    </message>
    <message>
        <source>save picture svg pdf png csv</source>
        <translation>保存 图片 save picture svg pdf png csv</translation>
    </message>
    <message>
        <source>Updating the open views…</source>
        <translation>正在更新打开的视图…</translation>
    </message>
    <message>
        <source>No open view shows a figure yet: show runs from the list on the left (Space).</source>
        <translation>打开的视图中尚无图：请从左侧列表中显示运行（Space）。</translation>
    </message>
    <message>
        <source>Copy retrieval statistics as &amp;Markdown</source>
        <translation>以 Markdown 复制检索统计(&amp;M)</translation>
    </message>
    <message>
        <source>Copy retrieval statistics as La&amp;TeX</source>
        <translation>以 LaTeX 复制检索统计(&amp;T)</translation>
    </message>
    <message>
        <source>%1, for the shown runs</source>
        <translation>%1，针对所显示的运行</translation>
    </message>
    <message>
        <source>paper publication export</source>
        <translation>论文 出版 导出 paper publication export</translation>
    </message>
    <message>
        <source>&amp;All figures of the paper…</source>
        <translation>论文的全部图(&amp;A)…</translation>
    </message>
    <message>
        <source>Every figure of the paper for the shown runs, into one folder</source>
        <translation>为所显示的运行绘制论文的每幅图，存入一个文件夹</translation>
    </message>
    <message>
        <source>export publication recipes</source>
        <translation>导出 出版 配方 export publication recipes</translation>
    </message>
    <message>
        <source>Show finished runs first: figures are drawn from the shown, finished runs.</source>
        <translation>请先显示已完成的运行：图由显示的、已完成的运行绘制。</translation>
    </message>
    <message>
        <source>Other figures are being drawn. Wait until they are complete, or cancel them.</source>
        <translation>正在绘制其他图。请等待其完成，或将其取消。</translation>
    </message>
    <message>
        <source>Drawing figures…</source>
        <translation>正在绘图…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stops without a result</source>
        <translation>停止，不产生结果</translation>
    </message>
    <message>
        <source>Cancelled; no figure was drawn.</source>
        <translation>已取消；没有绘制任何图。</translation>
    </message>
    <message>
        <source>Figure complete: %1.</source>
        <translation>图已完成：%1。</translation>
    </message>
    <message>
        <source>%1 figures are complete.</source>
        <translation>%1 幅图已完成。</translation>
    </message>
    <message>
        <source>Show and export…</source>
        <translation>显示并导出…</translation>
    </message>
    <message>
        <source>Title, axes, size, format and folder</source>
        <translation>标题、坐标轴、尺寸、格式和文件夹</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Discards the figures</source>
        <translation>放弃这些图</translation>
    </message>
    <message>
        <source>There is nothing to draw: the shown runs are not finished, or have no data for this figure.</source>
        <translation>没有可绘制的内容：所显示的运行未完成，或没有此图所需的数据。</translation>
    </message>
</context>
<context>
    <name>casp::gui::FileConversion</name>
    <message>
        <source>%1 is %2.</source>
        <translation>%1 是%2。</translation>
    </message>
    <message>
        <source>Convert files</source>
        <translation>转换文件</translation>
    </message>
    <message>
        <source>Convert to %1 with %2?</source>
        <translation>用 %2 转换为 %1？</translation>
    </message>
    <message>
        <source>Convert</source>
        <translation>转换</translation>
    </message>
    <message>
        <source>Converting with %1…</source>
        <translation>正在用 %1 转换…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stops; no file is left half-written</source>
        <translation>停止；不会留下未写完的文件</translation>
    </message>
</context>
<context>
    <name>casp::gui::FileDrops</name>
    <message>
        <source>Save %1 as a file first: only files on this machine can be opened.</source>
        <translation>请先将 %1 保存为文件：只能打开本机上的文件。</translation>
    </message>
</context>
<context>
    <name>casp::gui::FileExports</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stops; no file is left half-written</source>
        <translation>停止；不会留下未写完的文件</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Cancelled; nothing was written.</source>
        <translation>已取消；没有写入任何内容。</translation>
    </message>
    <message>
        <source>Folder for the archives of %1 runs</source>
        <translation>存放 %1 个运行归档的文件夹</translation>
    </message>
    <message>
        <source>Packing %1 runs…</source>
        <translation>正在打包 %1 个运行…</translation>
    </message>
    <message>
        <source>Archives (*.tar.gz)</source>
        <translation>归档 (*.tar.gz)</translation>
    </message>
    <message>
        <source>Packing %1…</source>
        <translation>正在打包 %1…</translation>
    </message>
    <message>
        <source>%1 has no weights yet; they are saved after the first epoch.</source>
        <translation>%1 尚无权重；权重在第一轮之后保存。</translation>
    </message>
    <message>
        <source>Weights (*.safetensors)</source>
        <translation>权重 (*.safetensors)</translation>
    </message>
    <message>
        <source>Copying %1…</source>
        <translation>正在复制 %1…</translation>
    </message>
    <message>
        <source>%1 is written.</source>
        <translation>%1 已写入。</translation>
    </message>
    <message>
        <source>%1 has no stored forecasts yet; they are stored at the end of a run.</source>
        <translation>%1 尚无存储的预测；预测在运行结束时存储。</translation>
    </message>
    <message>
        <source>Long table (*.csv)</source>
        <translation>长表 (*.csv)</translation>
    </message>
    <message>
        <source>Folder with pred.npy and true.npy (*)</source>
        <translation>含 pred.npy 和 true.npy 的文件夹 (*)</translation>
    </message>
    <message>
        <source>Exporting the forecasts of %1…</source>
        <translation>正在导出 %1 的预测…</translation>
    </message>
    <message>
        <source>Export archive of %1</source>
        <translation>导出 %1 的归档</translation>
    </message>
    <message>
        <source>Highlight one run in the list first: its weights at the best validation MSE are exported.</source>
        <translation>请先在列表中高亮一个运行：将导出其验证 MSE 最佳时的权重。</translation>
    </message>
    <message>
        <source>Export checkpoint of %1</source>
        <translation>导出 %1 的检查点</translation>
    </message>
    <message>
        <source>Highlight one run in the list first: its test forecasts are exported.</source>
        <translation>请先在列表中高亮一个运行：将导出其测试预测。</translation>
    </message>
    <message>
        <source>Export forecasts of %1</source>
        <translation>导出 %1 的预测</translation>
    </message>
</context>
<context>
    <name>casp::gui::FileOpener</name>
    <message>
        <source>%1 does not exist.</source>
        <translation>%1 不存在。</translation>
    </message>
    <message>
        <source>Import one folder at a time: the form shows the last of these %1.</source>
        <translation>每次只能导入一个文件夹：表单显示这 %1 个中的最后一个。</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>%1 is being copied from %2. Repeat this when it is there.</source>
        <translation>正在从 %2 复制 %1。复制完成后请重试。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Folder of runs</source>
        <translation>运行文件夹</translation>
    </message>
    <message>
        <source>Remote folder of runs</source>
        <translation>远程运行文件夹</translation>
    </message>
    <message>
        <source>Address of a folder of runs on another machine, which ssh reaches without a password.
caspstudio must be installed there. Example: ssh://ada@login1/~/runs
If caspstudio is not in the PATH there, append ?program=/path/to/caspstudio.</source>
        <translation>另一台机器上运行文件夹的地址，ssh 须无需密码即可连接该机器。
那里必须安装 caspstudio。示例：ssh://ada@login1/~/runs
如果那里的 PATH 中没有 caspstudio，请附加 ?program=/path/to/caspstudio。</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation>连接(&amp;C)</translation>
    </message>
    <message>
        <source>Import the forecasts %1 on the Audit page</source>
        <translation>在“审计”页导入预测 %1</translation>
    </message>
    <message>
        <source>Show the run %1</source>
        <translation>显示运行 %1</translation>
    </message>
    <message>
        <source>Open %1 as the folder of runs</source>
        <translation>将 %1 作为运行文件夹打开</translation>
    </message>
    <message>
        <source>Load the experiment %1 into the form</source>
        <translation>将实验 %1 载入表单</translation>
    </message>
    <message>
        <source>Open %1 on the Data page</source>
        <translation>在“数据”页打开 %1</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>Train the model %1</source>
        <translation>训练模型 %1</translation>
    </message>
    <message>
        <source>The model of the form is no Python file.</source>
        <translation>表单所选的模型不是 Python 文件。</translation>
    </message>
    <message>
        <source>No program opens %1.</source>
        <translation>没有能打开 %1 的程序。</translation>
    </message>
    <message>
        <source>Data, experiments and models (%1 *.toml *.py)</source>
        <translation>数据、实验与模型 (%1 *.toml *.py)</translation>
    </message>
</context>
<context>
    <name>casp::gui::HelpPanel</name>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Help topics</source>
        <translation>帮助主题</translation>
    </message>
    <message>
        <source>Help text</source>
        <translation>帮助文本</translation>
    </message>
    <message>
        <source>Explanation; the text can be selected</source>
        <translation>说明；文本可以选择</translation>
    </message>
</context>
<context>
    <name>casp::gui::InfoBar</name>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Text can be selected and copied</source>
        <translation>文本可以选择和复制</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>Show the next message</source>
        <translation>显示下一条消息</translation>
    </message>
    <message>
        <source>Other messages: %1</source>
        <translation>其他消息：%1</translation>
    </message>
</context>
<context>
    <name>casp::gui::Launcher</name>
    <message>
        <source>The folder of runs is on %1, which may not have this data. Choose a folder on this machine first (Ctrl+Shift+O). On %1, runs can be repeated with another λ_cov, or forked.</source>
        <translation>运行文件夹在 %1 上，那里可能没有这些数据。请先选择本机上的文件夹（Ctrl+Shift+O）。在 %1 上，可以用其他 λ_cov 重复运行，或建立分支。</translation>
    </message>
    <message>
        <source>%1 is not connected.</source>
        <translation>%1 未连接。</translation>
    </message>
    <message>
        <source>Starting %1 on %2…</source>
        <translation>正在 %2 上启动 %1…</translation>
    </message>
    <message>
        <source>%1, so no run was started. Get GPT-2 first, or use an untrained backbone.</source>
        <translation>%1，因此没有启动运行。请先获取 GPT-2，或使用未训练的骨干网络。</translation>
    </message>
    <message>
        <source>%1, so no run was started. Choose another file, or use an untrained backbone.</source>
        <translation>%1，因此没有启动运行。请选择其他文件，或使用未训练的骨干网络。</translation>
    </message>
    <message>
        <source>This run is already queued.</source>
        <translation>此运行已在队列中。</translation>
    </message>
    <message>
        <source>Nothing new to queue</source>
        <translation>没有新的运行可排队</translation>
    </message>
    <message>
        <source>%1 of %2 runs are queued</source>
        <translation>%2 个运行中的 %1 个已排队</translation>
    </message>
    <message>
        <source>1 is already finished and shown</source>
        <translation>1 个已完成并显示</translation>
    </message>
    <message>
        <source>%1 are already finished and shown</source>
        <translation>%1 个已完成并显示</translation>
    </message>
    <message>
        <source>1 was already queued</source>
        <translation>1 个先前已排队</translation>
    </message>
    <message>
        <source>%1 were already queued</source>
        <translation>%1 个先前已排队</translation>
    </message>
    <message>
        <source>This experiment cannot run yet: %1</source>
        <translation>此实验尚不能运行：%1</translation>
    </message>
    <message>
        <source>%1 is being moved to the wastebasket. Cancel the move, or restore the run first.</source>
        <translation>%1 正在移入回收站。请先取消移动，或恢复该运行。</translation>
    </message>
    <message>
        <source>%1 is on %2. Resume it there (caspstudio --batch … --resume), or fork it.</source>
        <translation>%1 在 %2 上。请在那里继续（caspstudio --batch … --resume），或建立分支。</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Highlight the run to be repeated in the list: one that was trained here with λ_cov, did not fail and is no fork. Or press Run to use the settings on the right.</source>
        <translation>请在列表中高亮要重复的运行：在此以 λ_cov 训练、未失败且不是分支的运行。或按“运行”使用右侧的设置。</translation>
    </message>
    <message>
        <source>%1 has changed since the last run with it.</source>
        <translation>%1 自上次使用它的运行以来已改变。</translation>
    </message>
</context>
<context>
    <name>casp::gui::MainWindow</name>
    <message>
        <source>Main</source>
        <translation>主工具栏</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>▶ Run</source>
        <translation>▶ 运行</translation>
    </message>
    <message>
        <source>Run with this λ_cov</source>
        <translation>用此 λ_cov 运行</translation>
    </message>
    <message>
        <source>Queue…</source>
        <translation>排队…</translation>
    </message>
    <message>
        <source>▶ Resume</source>
        <translation>▶ 继续</translation>
    </message>
    <message>
        <source>❚❚ Pause</source>
        <translation>❚❚ 暂停</translation>
    </message>
    <message>
        <source>■ Cancel</source>
        <translation>■ 取消</translation>
    </message>
    <message>
        <source>⚑ Finish early and evaluate</source>
        <translation>⚑ 提前结束并评估</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Forecast &amp;ahead</source>
        <translation>向前预测(&amp;A)</translation>
    </message>
    <message>
        <source>future predict horizon continue file drop</source>
        <translation>未来 预测 步长 继续 文件 拖放 future predict horizon continue file drop</translation>
    </message>
    <message>
        <source>Show or hide</source>
        <translation>显示或隐藏</translation>
    </message>
    <message>
        <source>Selected runs: while the list of runs has the focus</source>
        <translation>所选运行：当运行列表具有焦点时</translation>
    </message>
    <message>
        <source>Queue: while it has the focus</source>
        <translation>队列：当其具有焦点时</translation>
    </message>
    <message>
        <source>Selected runs</source>
        <translation>所选运行</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>command palette</source>
        <translation>命令面板 command palette</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>Restores the initial place of every panel</source>
        <translation>恢复每个面板的初始位置</translation>
    </message>
    <message>
        <source>docks windows default</source>
        <translation>停靠 窗口 默认 docks windows default</translation>
    </message>
    <message>
        <source>Theme as the s&amp;ystem</source>
        <translation>跟随系统主题(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Light theme</source>
        <translation>浅色主题(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark theme</source>
        <translation>深色主题(&amp;D)</translation>
    </message>
    <message>
        <source>Colours of the window</source>
        <translation>主窗口的颜色</translation>
    </message>
    <message>
        <source>dark light colours appearance</source>
        <translation>深色 浅色 颜色 外观 dark light colours appearance</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>Shows the window full screen, or restores its size</source>
        <translation>全屏显示主窗口，或恢复其大小</translation>
    </message>
    <message>
        <source>Se&amp;lected runs</source>
        <translation>所选运行(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Queue</source>
        <translation>队列(&amp;Q)</translation>
    </message>
    <message>
        <source>Sho&amp;w or hide</source>
        <translation>显示或隐藏(&amp;W)</translation>
    </message>
    <message>
        <source>%1 failed: %2</source>
        <translation>%1 失败：%2</translation>
    </message>
    <message>
        <source>, test MSE %1, MAE %2 (persistence forecast: MSE %3)</source>
        <translation>，测试 MSE %1，MAE %2（持续性预测：MSE %3）</translation>
    </message>
    <message>
        <source>This run is finished already: %1 has the same settings and is shown. The same settings give the same numbers again.</source>
        <translation>此运行已经完成：%1 的设置相同，且正在显示。相同的设置会再次得到相同的数值。</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>Starts the run again under another name</source>
        <translation>以其他名称再次启动该运行</translation>
    </message>
    <message>
        <source>Get GPT-2…</source>
        <translation>获取 GPT-2…</translation>
    </message>
    <message>
        <source>Opens Get data or GPT-2</source>
        <translation>打开“获取数据或 GPT-2”</translation>
    </message>
    <message>
        <source>Use an untrained backbone</source>
        <translation>使用未训练的骨干网络</translation>
    </message>
    <message>
        <source>Sets backbone.path; press Run again then</source>
        <translation>设置 backbone.path；之后请再按“运行”</translation>
    </message>
    <message>
        <source>The next experiment uses %1.</source>
        <translation>下一个实验使用 %1。</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>%1 is open. The page Sweep lists its runs; finished ones of this experiment are not queued again.</source>
        <translation>%1 已打开。“扫描”页列出其运行；此实验中已完成的运行不会再次排队。</translation>
    </message>
    <message>
        <source>This run is on %1. Archive it there: caspstudio --archive %2 --out FILE.tar.gz</source>
        <translation>此运行在 %1 上。请在那里归档：caspstudio --archive %2 --out FILE.tar.gz</translation>
    </message>
    <message>
        <source>These runs are on %1. Archive each there: caspstudio --archive %2 --out FILE.tar.gz</source>
        <translation>这些运行在 %1 上。请在那里逐个归档：caspstudio --archive %2 --out FILE.tar.gz</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>The highlighted run, if it is shown and finished, forecasts the rows after the last one of its data set, or of another file</source>
        <translation>高亮的运行（须已显示且已完成）预测其数据集或另一文件最后一行之后的各行</translation>
    </message>
    <message>
        <source>, test sMAPE %1 %, MASE %2, OWA %3</source>
        <translation>，测试 sMAPE %1 %，MASE %2，OWA %3</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Search actions and settings (Ctrl+K)</source>
        <translation>搜索操作和设置 (Ctrl+K)</translation>
    </message>
    <message>
        <source>Search actions and settings</source>
        <translation>搜索操作和设置</translation>
    </message>
    <message>
        <source>Finds every action and every setting by a few letters</source>
        <translation>用几个字母查找任何操作和设置</translation>
    </message>
    <message>
        <source>The model %1 does not read %2</source>
        <translation>模型 %1 不使用 %2</translation>
    </message>
    <message>
        <source>&amp;Search actions and settings…</source>
        <translation>搜索操作和设置(&amp;S)…</translation>
    </message>
</context>
<context>
    <name>casp::gui::PanelActions</name>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>转到“%1”</translation>
    </message>
    <message>
        <source>Shows the panel %1 and moves the focus there</source>
        <translation>显示面板“%1”并将焦点移到该处</translation>
    </message>
    <message>
        <source>panel page dock</source>
        <translation>面板 页面 停靠 panel page dock</translation>
    </message>
    <message>
        <source>&amp;Next panel</source>
        <translation>下一面板(&amp;N)</translation>
    </message>
    <message>
        <source>Moves the focus to the next visible panel</source>
        <translation>将焦点移到下一个可见的面板</translation>
    </message>
    <message>
        <source>focus</source>
        <translation>焦点 focus</translation>
    </message>
    <message>
        <source>&amp;Previous panel</source>
        <translation>上一面板(&amp;P)</translation>
    </message>
    <message>
        <source>Moves the focus to the previous visible panel</source>
        <translation>将焦点移到上一个可见的面板</translation>
    </message>
    <message>
        <source>Fl&amp;oat or dock this panel</source>
        <translation>浮动或停靠此面板(&amp;O)</translation>
    </message>
    <message>
        <source>Makes the current panel a separate window, or docks it again</source>
        <translation>使当前面板成为独立窗口，或重新停靠</translation>
    </message>
    <message>
        <source>undock detach window</source>
        <translation>取消停靠 分离 窗口 undock detach window</translation>
    </message>
    <message>
        <source>Move this panel l&amp;eft</source>
        <translation>将此面板移到左侧(&amp;E)</translation>
    </message>
    <message>
        <source>Moves the current panel to the left side</source>
        <translation>将当前面板移到左侧</translation>
    </message>
    <message>
        <source>Move this panel r&amp;ight</source>
        <translation>将此面板移到右侧(&amp;I)</translation>
    </message>
    <message>
        <source>Moves the current panel to the right side</source>
        <translation>将当前面板移到右侧</translation>
    </message>
    <message>
        <source>Move this panel to the &amp;bottom</source>
        <translation>将此面板移到底部(&amp;B)</translation>
    </message>
    <message>
        <source>Moves the current panel to the bottom</source>
        <translation>将当前面板移到底部</translation>
    </message>
    <message>
        <source>dock place arrange</source>
        <translation>停靠 位置 排列 dock place arrange</translation>
    </message>
    <message>
        <source>Shows or hides the panel %1 (%2)</source>
        <translation>显示或隐藏面板“%1”（%2）</translation>
    </message>
</context>
<context>
    <name>casp::gui::Recovery</name>
    <message>
        <source>The drive of the runs is not there: %1 was on %2, and is now an empty folder of another drive. Its runs are listed again when the drive is back. Until then, new runs are written to the other drive.</source>
        <translation>存放运行的驱动器不在：%1 原在 %2 上，现在是另一驱动器的空文件夹。驱动器恢复后，其运行会重新列出。在此之前，新运行写入另一驱动器。</translation>
    </message>
    <message>
        <source>An unfinished run cannot be reached: %1. It is offered again when its folder is back, or when the window is next opened.</source>
        <translation>一个未完成的运行无法访问：%1。其文件夹恢复后或下次打开主窗口时，会再次询问是否继续。</translation>
    </message>
    <message>
        <source>Unfinished runs cannot be reached: %1. They are offered again when their folders are back, or when the window is next opened.</source>
        <translation>一些未完成的运行无法访问：%1。其文件夹恢复后或下次打开主窗口时，会再次询问是否继续。</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忽略</translation>
    </message>
    <message>
        <source>Stops offering these runs; their files are kept</source>
        <translation>不再询问这些运行；其文件会保留</translation>
    </message>
    <message>
        <source>%1 was interrupted and can be resumed from its last checkpoint.</source>
        <translation>%1 被中断，可以从最近的检查点继续。</translation>
    </message>
    <message>
        <source>%1 was stopped when the window closed and can be resumed from its checkpoint.</source>
        <translation>%1 在主窗口关闭时停止，可以从其检查点继续。</translation>
    </message>
    <message>
        <source>%1 failed and can be tried again from its checkpoint.</source>
        <translation>%1 失败，可以从其检查点重试。</translation>
    </message>
    <message>
        <source>One run waited in the queue.</source>
        <translation>有一个运行在队列中等待。</translation>
    </message>
    <message>
        <source>%1 runs waited in the queue.</source>
        <translation>有 %1 个运行在队列中等待。</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Resumes the runs; results are identical to those of an uninterrupted run</source>
        <translation>继续这些运行；结果与未中断的运行完全相同</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>The runs stay in the list; their menu has Continue</source>
        <translation>这些运行留在列表中；其菜单中有“继续”</translation>
    </message>
    <message>
        <source>Another window of CASP Studio ended unexpectedly. What was entered in it is saved.</source>
        <translation>另一个 CASP Studio 窗口意外结束。其中输入的内容已保存。</translation>
    </message>
    <message>
        <source>%1 other windows of CASP Studio ended unexpectedly. What was entered in them is saved.</source>
        <translation>另有 %1 个 CASP Studio 窗口意外结束。其中输入的内容已保存。</translation>
    </message>
    <message>
        <source>Open it again</source>
        <translation>重新打开</translation>
    </message>
    <message>
        <source>Open them again</source>
        <translation>全部重新打开</translation>
    </message>
    <message>
        <source>Starts CASP Studio again with what was entered there</source>
        <translation>再次启动 CASP Studio，并带上在那里输入的内容</translation>
    </message>
    <message>
        <source>Offered again when as many windows are open</source>
        <translation>打开同样多的窗口时会再次询问</translation>
    </message>
    <message>
        <source>%1 could not be started. Start CASP Studio again yourself: what was entered in the other window is saved.</source>
        <translation>无法启动 %1。请自行再次启动 CASP Studio：另一个窗口中输入的内容已保存。</translation>
    </message>
    <message>
        <source>%1 was interrupted before its first checkpoint and starts again from the beginning.</source>
        <translation>%1 在第一个检查点之前被中断，将从头重新开始。</translation>
    </message>
</context>
<context>
    <name>casp::gui::RemoteStatus</name>
    <message>
        <source>%1: connecting…</source>
        <translation>%1：正在连接…</translation>
    </message>
    <message>
        <source>%1: connected, %2 runs</source>
        <translation>%1：已连接，%2 个运行</translation>
    </message>
    <message>
        <source>%1: listing runs, %2 of %3</source>
        <translation>%1：正在列出运行，%2/%3</translation>
    </message>
    <message>
        <source>%1: not connected, trying again in %2 s</source>
        <translation>%1：未连接，%2 秒后重试</translation>
    </message>
    <message>
        <source>%1: not connected</source>
        <translation>%1：未连接</translation>
    </message>
    <message>
        <source>Connection to the remote folder</source>
        <translation>与远程文件夹的连接</translation>
    </message>
    <message>
        <source>Connect now</source>
        <translation>立即连接</translation>
    </message>
    <message>
        <source>Tries to connect to %1 at once</source>
        <translation>立即尝试连接 %1</translation>
    </message>
</context>
<context>
    <name>casp::gui::RunActions</name>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Stops after this step; the run keeps its checkpoint and can be resumed</source>
        <translation>在此步之后停止；运行保留其检查点，之后可以继续</translation>
    </message>
    <message>
        <source>Pauses the run between two steps, or during its evaluation</source>
        <translation>在两步之间或评估过程中暂停运行</translation>
    </message>
    <message>
        <source>&amp;Try it</source>
        <translation>试一试(&amp;T)</translation>
    </message>
    <message>
        <source>A small model on the sample data with λ_cov 0 and 0.1, three seeds each, in one to two minutes</source>
        <translation>用示例数据训练小模型，λ_cov 为 0 和 0.1，各三个随机种子，需一到两分钟</translation>
    </message>
    <message>
        <source>demo quick start example</source>
        <translation>演示 快速入门 示例 demo quick start example</translation>
    </message>
    <message>
        <source>Trains and evaluates with the settings on the right</source>
        <translation>用右侧的设置训练并评估</translation>
    </message>
    <message>
        <source>train start experiment</source>
        <translation>训练 启动 实验 train start experiment</translation>
    </message>
    <message>
        <source>Run with this &amp;λ_cov</source>
        <translation>用此 λ_cov 运行(&amp;λ)</translation>
    </message>
    <message>
        <source>lambda coverage again</source>
        <translation>覆盖 再次 lambda coverage again</translation>
    </message>
    <message>
        <source>Queue a &amp;sweep…</source>
        <translation>扫描排队(&amp;S)…</translation>
    </message>
    <message>
        <source>Runs for every combination of values, one after another</source>
        <translation>为各值的每种组合依次运行</translation>
    </message>
    <message>
        <source>grid seeds queue</source>
        <translation>网格 随机种子 队列 grid seeds queue</translation>
    </message>
    <message>
        <source>&amp;Go to λ_cov</source>
        <translation>转到 λ_cov(&amp;G)</translation>
    </message>
    <message>
        <source>Moves the focus to λ_cov in the toolbar</source>
        <translation>将焦点移到工具栏中的 λ_cov</translation>
    </message>
    <message>
        <source>lambda coverage slider</source>
        <translation>覆盖 滑块 lambda coverage slider</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>hold continue</source>
        <translation>暂缓 继续 hold continue</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>stop abort</source>
        <translation>停止 中止 stop abort</translation>
    </message>
    <message>
        <source>&amp;Finish early and evaluate</source>
        <translation>提前结束并评估(&amp;F)</translation>
    </message>
    <message>
        <source>Ends training now and evaluates the best weights so far</source>
        <translation>立即结束训练，并评估目前最佳的权重</translation>
    </message>
    <message>
        <source>stop early evaluate</source>
        <translation>停止 提前 评估 stop early evaluate</translation>
    </message>
    <message>
        <source>&amp;Hold the queue</source>
        <translation>暂停队列(&amp;H)</translation>
    </message>
    <message>
        <source>Pauses the queue. The current run continues.</source>
        <translation>暂停队列。当前运行不受影响。</translation>
    </message>
    <message>
        <source>queue wait stop</source>
        <translation>队列 等待 停止 queue wait stop</translation>
    </message>
    <message>
        <source>Cannot run yet: %1</source>
        <translation>尚不能运行：%1</translation>
    </message>
    <message>
        <source>Stops this run with a checkpoint. A batch or worker that trains it ends; its other runs wait for another one</source>
        <translation>使此运行在保存检查点后停止。训练它的批处理或工作进程随之结束；其余运行等待另一个进程</translation>
    </message>
    <message>
        <source>▶ Resume</source>
        <translation>▶ 继续</translation>
    </message>
    <message>
        <source>❚❚ Pause</source>
        <translation>❚❚ 暂停</translation>
    </message>
    <message>
        <source>Resumes the paused run</source>
        <translation>继续已暂停的运行</translation>
    </message>
    <message>
        <source>λ_cov is not a valid number</source>
        <translation>λ_cov 不是有效的数字</translation>
    </message>
    <message>
        <source>As %1, with λ_cov %2; both are shown together (Ctrl+Shift+Return)</source>
        <translation>与 %1 相同，但 λ_cov 为 %2；两者同时显示（Ctrl+Shift+Return）</translation>
    </message>
    <message>
        <source>The settings on the right, with their λ_cov (Ctrl+Shift+Return)</source>
        <translation>右侧的设置，采用其 λ_cov (Ctrl+Shift+Return)</translation>
    </message>
    <message>
        <source>Repeats the highlighted run with another λ_cov and shows both</source>
        <translation>以其他 λ_cov 重复高亮的运行，并显示两者</translation>
    </message>
    <message>
        <source>&amp;Cancel %1</source>
        <translation>取消 %1(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Finish %1 early and evaluate</source>
        <translation>提前结束 %1 并评估(&amp;F)</translation>
    </message>
    <message>
        <source>Resu&amp;me %1</source>
        <translation>继续 %1(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Pause %1</source>
        <translation>暂停 %1(&amp;P)</translation>
    </message>
    <message>
        <source>Run %1 with this &amp;λ_cov</source>
        <translation>用此 λ_cov 运行 %1(&amp;λ)</translation>
    </message>
    <message>
        <source>Highlight the run to be repeated in the list: one that was trained here with λ_cov, did not fail and is no fork</source>
        <translation>请在列表中高亮要重复的运行：在此以 λ_cov 训练、未失败且不是分支的运行</translation>
    </message>
    <message>
        <source>%1 is no longer running. Nothing was paused or stopped.</source>
        <translation>%1 已不在运行。未暂停或停止任何运行。</translation>
    </message>
</context>
<context>
    <name>casp::gui::RunStatus</name>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>Completed fraction of the run</source>
        <translation>运行已完成的比例</translation>
    </message>
    <message>
        <source>Completed fraction of the training steps; early stopping may end the run sooner</source>
        <translation>训练步已完成的比例；早停可能使运行提前结束</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>What is selected in the views; Esc clears it</source>
        <translation>各视图中所选的内容；Esc 清除选择</translation>
    </message>
    <message>
        <source>selection: %1</source>
        <translation>选择：%1</translation>
    </message>
    <message>
        <source>Device, epoch, step, speed, time left and memory of the running run</source>
        <translation>当前运行的设备、轮次、步、速度、剩余时间和内存</translation>
    </message>
    <message>
        <source>%1 is running in another folder of runs</source>
        <translation>%1 正在另一个运行文件夹中进行</translation>
    </message>
    <message>
        <source>Nothing is running</source>
        <translation>没有正在进行的运行</translation>
    </message>
</context>
<context>
    <name>casp::gui::SessionKeeper</name>
    <message>
        <source>The session cannot be saved: no file can be created in %1. Free some space there, or allow writing to it. Saving is tried again regularly.</source>
        <translation>无法保存会话：无法在 %1 中创建文件。请释放空间，或允许写入该处。程序会定期重试保存。</translation>
    </message>
    <message>
        <source>The session of this window is not saved: %1 windows are open. Close some; saving is tried again regularly.</source>
        <translation>此窗口的会话未保存：已打开 %1 个窗口。请关闭一些；程序会定期重试保存。</translation>
    </message>
    <message>
        <source> A part of the session could not be read (%1). The session as it was is saved as %2.</source>
        <translation> 会话有一部分无法读取（%1）。原来的会话已保存为 %2。</translation>
    </message>
    <message>
        <source>CASP Studio is already open. What you enter in this window is saved separately and comes back when %1 windows are open again.</source>
        <translation>CASP Studio 已经打开。此窗口中输入的内容会单独保存，再次打开 %1 个窗口时会恢复。</translation>
    </message>
</context>
<context>
    <name>casp::gui::StartPage</name>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Drop a CSV anywhere in this window</source>
        <translation>将 CSV 文件拖放到此窗口的任意位置</translation>
    </message>
    <message>
        <source>One row per time step, one column per channel, and an optional date column. CASP Studio detects the format and shows what it found.</source>
        <translation>每个时间步一行，每个通道一列，可另有日期列。CASP Studio 会检测格式并显示检测结果。</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Trains a small model on the sample data with λ_cov 0 and 0.1, three seeds each, in one to two minutes and without a download</source>
        <translation>用示例数据训练小模型，λ_cov 为 0 和 0.1，各三个随机种子，需一到两分钟，无需下载</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Opens a CSV or an experiment file (TOML); drop a folder of runs here to open it</source>
        <translation>打开 CSV 文件或实验文件（TOML）；将运行文件夹拖放到此处可打开它</translation>
    </message>
    <message>
        <source>Sample data set</source>
        <translation>示例数据集</translation>
    </message>
    <message>
        <source>Two years of hourly values, 7 channels, with seasons, breaks and rare events</source>
        <translation>两年的小时值，7 个通道，含季节性、突变和罕见事件</translation>
    </message>
    <message>
        <source>The paper&apos;s presets</source>
        <translation>论文的预设</translation>
    </message>
    <message>
        <source>Get data or GPT-2…</source>
        <translation>获取数据或 GPT-2…</translation>
    </message>
    <message>
        <source>Downloads benchmark data sets or the backbone from their public addresses, on request</source>
        <translation>按需从公开地址下载基准数据集或骨干网络</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Recent folders of runs</source>
        <translation>最近的运行文件夹</translation>
    </message>
    <message>
        <source>Opened files are listed here</source>
        <translation>打开过的文件列在此处</translation>
    </message>
    <message>
        <source>Folders of runs are listed here</source>
        <translation>运行文件夹列在此处</translation>
    </message>
    <message>
        <source>Ctrl+K finds every action · F1 explains the current panel</source>
        <translation>Ctrl+K 查找任意操作 · F1 说明当前面板</translation>
    </message>
    <message>
        <source>Settings of %1 cells (data set × horizon): %2</source>
        <translation>%1 个任务（数据集 × 预测步长）的设置：%2</translation>
    </message>
</context>
<context>
    <name>casp::gui::WindowClosing</name>
    <message>
        <source>%1 failed while the window closed; its progress since the last checkpoint is lost. %2</source>
        <translation>%1 在主窗口关闭时失败；自最近的检查点以来的进度已丢失。%2</translation>
    </message>
    <message>
        <source>What you entered since the last save would be lost. %1</source>
        <translation>自上次保存以来输入的内容将会丢失。%1</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Saves again, and closes the window if that succeeds</source>
        <translation>再次保存，成功后关闭主窗口</translation>
    </message>
    <message>
        <source>Close anyway</source>
        <translation>仍然关闭</translation>
    </message>
    <message>
        <source>Closes the window without what could not be saved</source>
        <translation>关闭主窗口，放弃未能保存的内容</translation>
    </message>
    <message>
        <source>Keep open</source>
        <translation>保持打开</translation>
    </message>
    <message>
        <source>Keeps the window open and releases the queue</source>
        <translation>保持主窗口打开，并恢复队列</translation>
    </message>
    <message>
        <source>Saving a checkpoint of the run; the window closes afterwards.</source>
        <translation>正在保存运行的检查点；随后主窗口将关闭。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::AnchorInspector</name>
    <message>
        <source>A&amp;nchor</source>
        <translation>锚点(&amp;N)</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Number of the anchor</source>
        <translation>锚点编号</translation>
    </message>
    <message>
        <source>The shown anchor is the selected one; type a number to select another</source>
        <translation>显示的锚点即选中的锚点；输入编号可选择另一个</translation>
    </message>
    <message>
        <source>Usage of the anchor</source>
        <translation>该锚点的使用次数</translation>
    </message>
    <message>
        <source>Select all &amp;windows that retrieve it</source>
        <translation>选择检索它的所有窗口(&amp;W)</translation>
    </message>
    <message>
        <source>Select all windows that retrieve the anchor</source>
        <translation>选择检索该锚点的所有窗口</translation>
    </message>
    <message>
        <source>Highlights them in the embeddings and shows them in the forecasts</source>
        <translation>在嵌入中突出显示这些窗口，并在预测中显示它们</translation>
    </message>
    <message>
        <source>Note on the anchor</source>
        <translation>关于该锚点的说明</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Nearest tokens</source>
        <translation>最近词元</translation>
    </message>
    <message>
        <source>Tokens of GPT-2&apos;s vocabulary whose embeddings have the largest cosine with the anchor; ␣ is a space</source>
        <translation>GPT-2 词表中词元嵌入与该锚点余弦最大的词元；␣ 表示空格</translation>
    </message>
    <message>
        <source>anchor</source>
        <translation>锚点</translation>
    </message>
    <message>
        <source>Neighbours in the pool</source>
        <translation>池中近邻</translation>
    </message>
    <message>
        <source>Anchors with the largest cosine to this one; click to select</source>
        <translation>与该锚点余弦最大的锚点；点击可选择</translation>
    </message>
    <message>
        <source>window, channel</source>
        <translation>窗口，通道</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>similarity s</source>
        <translation>相似度 s</translation>
    </message>
    <message>
        <source>Windows that retrieve it</source>
        <translation>检索它的窗口</translation>
    </message>
    <message>
        <source>Windows with this anchor among their K retrieved ones, by rank (1: the most similar) and similarity; click to select</source>
        <translation>检索到的 K 个锚点中包含该锚点的窗口，附排名（1：最相似）和相似度；点击可选择</translation>
    </message>
    <message>
        <source>Usage over training</source>
        <translation>训练期间的使用次数</translation>
    </message>
    <message>
        <source> · retrieved %1 times by the test windows</source>
        <translation> · 被测试窗口检索 %1 次</translation>
    </message>
    <message>
        <source> (%1 % of all)</source>
        <translation> （占全部的 %1 %）</translation>
    </message>
    <message>
        <source>channel %1</source>
        <translation>通道 %1</translation>
    </message>
    <message>
        <source>No %1 window retrieves it</source>
        <translation>没有 %1 窗口检索它</translation>
    </message>
    <message>
        <source>Retrieved by %1 of %2 rows (%3 shown)</source>
        <translation>被 %2 行中的 %1 行检索（显示 %3 行）</translation>
    </message>
    <message>
        <source>Retrieved by %1 of %2 rows</source>
        <translation>被 %2 行中的 %1 行检索</translation>
    </message>
    <message>
        <source>Press Compute embeddings above for words and neighbours: they need the anchor&apos;s vector. During training it is always available.</source>
        <translation>要查看最近词和近邻，请按上方的“计算嵌入”：它们需要该锚点的向量。训练期间该向量始终可用。</translation>
    </message>
    <message>
        <source>Looking up the nearest words…</source>
        <translation>正在查找最近词…</translation>
    </message>
    <message>
        <source>Looking up the nearest words: %1 %</source>
        <translation>正在查找最近词：%1 %</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>词元 %1</translation>
    </message>
    <message>
        <source>Choose a run on the left, then click an anchor in any view.</source>
        <translation>请在左侧选择一个运行，然后在任意视图中单击一个锚点。</translation>
    </message>
    <message>
        <source>Click an anchor in any view, or type its number above.</source>
        <translation>请在任意视图中单击一个锚点，或在上方输入其编号。</translation>
    </message>
    <message>
        <source>Its nearest words in GPT-2&apos;s vocabulary, its neighbours in the pool, the windows that retrieve it and its usage over training appear here.</source>
        <translation>此处将显示它在 GPT-2 词表中最近的词、锚点池中的邻居、检索到它的窗口，以及它在训练中的使用次数。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::AnchorScores</name>
    <message>
        <source>What the matrix shows</source>
        <translation>矩阵显示的内容</translation>
    </message>
    <message>
        <source>Top 100</source>
        <translation>前 100 个</translation>
    </message>
    <message>
        <source>All anchors</source>
        <translation>全部锚点</translation>
    </message>
    <message>
        <source>Anchors in the matrix</source>
        <translation>矩阵中的锚点</translation>
    </message>
    <message>
        <source>The 100 anchors of highest mean similarity over the shown windows, or the whole pool</source>
        <translation>对所示窗口平均相似度最高的 100 个锚点，或整个锚点池</translation>
    </message>
    <message>
        <source>By number</source>
        <translation>按编号</translation>
    </message>
    <message>
        <source>By usage</source>
        <translation>按使用次数</translation>
    </message>
    <message>
        <source>By mean similarity</source>
        <translation>按平均相似度</translation>
    </message>
    <message>
        <source>Clustered</source>
        <translation>聚类</translation>
    </message>
    <message>
        <source>Order of the anchors</source>
        <translation>锚点顺序</translation>
    </message>
    <message>
        <source>Rows from top to bottom: by number, most retrieved first, highest mean similarity first, or leaf order of an average-linkage clustering</source>
        <translation>各行自上而下：按编号、使用次数从多到少、平均相似度从高到低，或平均连接聚类的叶序</translation>
    </message>
    <message>
        <source>; %1 of %2 columns, evenly spaced</source>
        <translation>；均匀取 %2 列中的 %1 列</translation>
    </message>
</context>
<context>
    <name>casp::widgets::AnchorSelection</name>
    <message>
        <source>Effective number of anchors, exp(entropy): %1.</source>
        <translation>锚点的有效数目，即 exp(熵)：%1。</translation>
    </message>
    <message>
        <source> Floor ln K = %1 (K = %2), ceiling ln V&apos; = %3.</source>
        <translation> 下限 ln K = %1（K = %2），上限 ln V&apos; = %3。</translation>
    </message>
    <message>
        <source>How to fill the table of retrieval statistics</source>
        <translation>如何填充检索统计表</translation>
    </message>
    <message>
        <source>Retrieval statistics</source>
        <translation>检索统计</translation>
    </message>
    <message>
        <source>One row per run and usage. Return or a double click selects the anchors of a row in all views</source>
        <translation>每个运行、每种使用次数一行。按 Return 或双击可在所有视图中选择该行的锚点</translation>
    </message>
    <message>
        <source>Notes on the retrieval statistics</source>
        <translation>关于检索统计的说明</translation>
    </message>
    <message>
        <source>Pairwise overlap of retrieved anchors</source>
        <translation>检索锚点的两两重叠</translation>
    </message>
    <message>
        <source>Training and &amp;test</source>
        <translation>训练与测试(&amp;T)</translation>
    </message>
    <message>
        <source>Retrievals in training and over the test windows side by side</source>
        <translation>并列显示训练期间和测试窗口上的检索</translation>
    </message>
    <message>
        <source>Two rows per run: training, and the test windows at the best checkpoint. Unchecked: only the usage selected under Count</source>
        <translation>每个运行两行：训练期间，以及最佳检查点在测试窗口上的检索。不勾选：仅显示“计数”中所选的一种</translation>
    </message>
    <message>
        <source>Reference for the comparison</source>
        <translation>比较的参照</translation>
    </message>
    <message>
        <source>The row with which the table&apos;s last three columns compare all others</source>
        <translation>表中最后三列将其他各行与该行比较</translation>
    </message>
    <message>
        <source>Copy table as &amp;Markdown</source>
        <translation>将表格复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>Copy table as &amp;LaTeX</source>
        <translation>将表格复制为 LaTeX(&amp;L)</translation>
    </message>
    <message>
        <source>The overlap of the anchors retrieved by any two runs appears here. Show a second run: select it in the list on the left as well.</source>
        <translation>此处显示任意两个运行所检索锚点的重叠。请显示第二个运行：在左侧列表中同时选择它。</translation>
    </message>
    <message>
        <source>reference: %1</source>
        <translation>参照：%1</translation>
    </message>
    <message>
        <source>%1 retrievals over the test windows at the best checkpoint</source>
        <translation>最佳检查点在测试窗口上的 %1 次检索</translation>
    </message>
    <message>
        <source>%1 retrievals up to step %2</source>
        <translation>截至第 %2 步的 %1 次检索</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <source>The table is empty: nothing was copied</source>
        <translation>表格为空：未复制任何内容</translation>
    </message>
    <message>
        <source>Retrieval statistics copied as %1</source>
        <translation>检索统计已复制为 %1</translation>
    </message>
</context>
<context>
    <name>casp::widgets::AnchorsPage</name>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Since previous snapshot</source>
        <translation>自上次快照以来</translation>
    </message>
    <message>
        <source>Test windows</source>
        <translation>测试窗口</translation>
    </message>
    <message>
        <source>Counted retrievals</source>
        <translation>计数的检索</translation>
    </message>
    <message>
        <source>Which retrievals are counted: over training up to the snapshot, since the previous snapshot, or over the test windows at the best checkpoint</source>
        <translation>计入哪些检索：训练开始至该快照、自上次快照以来，或最佳检查点在测试窗口上的检索</translation>
    </message>
    <message>
        <source>&amp;Count</source>
        <translation>计数(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Sorted</source>
        <translation>排序(&amp;S)</translation>
    </message>
    <message>
        <source>Sort anchors by value instead of by number; several runs then share one plot</source>
        <translation>锚点按数值而非编号排序；多个运行可共用一幅图</translation>
    </message>
    <message>
        <source>Lo&amp;g Y</source>
        <translation>对数 Y(&amp;G)</translation>
    </message>
    <message>
        <source>Logarithmic y axes</source>
        <translation>y 轴取对数</translation>
    </message>
    <message>
        <source>Anchor usage</source>
        <translation>锚点使用次数</translation>
    </message>
    <message>
        <source>Concentration</source>
        <translation>集中度</translation>
    </message>
    <message>
        <source>Similarity</source>
        <translation>相似度</translation>
    </message>
    <message>
        <source>Run shown in the similarity matrix</source>
        <translation>相似度矩阵所示的运行</translation>
    </message>
    <message>
        <source>Run shown in the similarity matrix and the anchor details</source>
        <translation>相似度矩阵和锚点详情所示的运行</translation>
    </message>
    <message>
        <source>Anchor</source>
        <translation>锚点</translation>
    </message>
    <message>
        <source>Retrieval statistics</source>
        <translation>检索统计</translation>
    </message>
    <message>
        <source>Concentration over training</source>
        <translation>训练期间的集中度</translation>
    </message>
    <message>
        <source>Coverage statistic c̃</source>
        <translation>覆盖统计量 c̃</translation>
    </message>
    <message>
        <source>c̃ over training</source>
        <translation>训练期间的 c̃</translation>
    </message>
    <message>
        <source>Coverage gate</source>
        <translation>覆盖门控</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>steps %1 to %2</source>
        <translation>第 %1 至 %2 步</translation>
    </message>
    <message>
        <source>%1 · test windows</source>
        <translation>%1 · 测试窗口</translation>
    </message>
    <message>
        <source>%1 · training up to %2</source>
        <translation>%1 · 训练，截至%2</translation>
    </message>
    <message>
        <source>%1 · previous snapshot to %2</source>
        <translation>%1 · 上次快照至%2</translation>
    </message>
    <message>
        <source>Coverage statistic c̃ · %1</source>
        <translation>覆盖统计量 c̃ · %1</translation>
    </message>
    <message>
        <source>anchors</source>
        <translation>锚点</translation>
    </message>
    <message>
        <source> Show a run with anchors.</source>
        <translation> 请显示一个有锚点的运行。</translation>
    </message>
    <message>
        <source>These embeddings were stored without similarities (run.store_similarity). Press Compute embeddings.</source>
        <translation>这些嵌入存储时未包含相似度（run.store_similarity）。请按“计算嵌入”。</translation>
    </message>
    <message>
        <source>The similarity of anchors (rows) and windows (columns) appears here from the start of training for runs of this session. For a finished run, press Compute embeddings.</source>
        <translation>对本次会话的运行，此处从训练开始起显示锚点（行）与窗口（列）的相似度。对已完成的运行，请按“计算嵌入”。</translation>
    </message>
    <message>
        <source>The similarity s of anchors (rows) and windows (columns) appears here, for up to the whole pool and 20,000 windows.</source>
        <translation>此处显示锚点（行）与窗口（列）的相似度 s，最多可含整个锚点池和 20,000 个窗口。</translation>
    </message>
    <message>
        <source>Usage entropy, distinct anchors, top-20 fraction and key cosine of each run appear here, with the overlap (Jaccard) of the anchors retrieved by any two runs.</source>
        <translation>此处显示每个运行的使用熵、不同锚点数、前 20 占比和键余弦，以及任意两个运行所检索锚点的重叠（Jaccard）。</translation>
    </message>
    <message>
        <source>The anchors retrieved by these runs appear here seconds after the first step of a run trained in this session. For other runs they appear with the first snapshot (after an epoch, or every run.snapshot_steps steps), and over the test windows once a run is evaluated.</source>
        <translation>对本次会话中训练的运行，第一步后数秒此处即显示其检索到的锚点。其他运行在首个快照时显示（一个轮次之后，或每 run.snapshot_steps 步），评估后还显示测试窗口上的检索。</translation>
    </message>
    <message>
        <source>The selected anchors are not highlighted in runs that began from other anchors (another seed, model or backbone): %1</source>
        <translation>所选锚点在从其他锚点开始的运行中（其他随机种子、模型或骨干网络）不突出显示：%1</translation>
    </message>
    <message>
        <source>Not highlighted, because the selected windows are not among those whose retrieved anchors are known: %1. Press Esc to clear the selection.</source>
        <translation>未突出显示，因为所选窗口不在已知检索锚点的窗口之中：%1。按 Esc 清除选择。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::AuditPage</name>
    <message>
        <source>Audit</source>
        <translation>审核</translation>
    </message>
    <message>
        <source>Audit of the imported forecasts</source>
        <translation>导入预测的审核</translation>
    </message>
    <message>
        <source>Audit of the first shown run of imported forecasts</source>
        <translation>所显示的首个导入预测的运行的审核</translation>
    </message>
    <message>
        <source>The forecasts were imported. They are comparable with our runs.</source>
        <translation>预测已导入。它们可与我们的运行比较。</translation>
    </message>
    <message>
        <source>The forecasts were imported. The audit has findings.</source>
        <translation>预测已导入。审核发现了问题。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ChannelChooser</name>
    <message>
        <source>Channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Plotted channels; if none are selected: the last one</source>
        <translation>绘制的通道；未选择时：最后一个</translation>
    </message>
    <message>
        <source>Search channels</source>
        <translation>搜索通道</translation>
    </message>
    <message>
        <source>Lists the channels whose names contain this text</source>
        <translation>列出名称包含该文本的通道</translation>
    </message>
    <message>
        <source>Plotted channels</source>
        <translation>绘制的通道</translation>
    </message>
    <message>
        <source>Check the channels to plot (Space, or a click).
Channels are matched by number: where data sets name a channel differently, all of its names are listed</source>
        <translation>勾选要绘制的通道（Space 或点击）。
通道按编号对应：若各数据集对同一通道命名不同，则列出其所有名称</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>全部(&amp;A)</translation>
    </message>
    <message>
        <source>Plot all channels</source>
        <translation>绘制所有通道</translation>
    </message>
    <message>
        <source>&amp;Last only</source>
        <translation>仅最后一个(&amp;L)</translation>
    </message>
    <message>
        <source>Plot the last channel only, as when none are selected</source>
        <translation>只绘制最后一个通道，与未选择时相同</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>all %1 channels</source>
        <translation>全部 %1 个通道</translation>
    </message>
    <message>
        <source>%1 channels</source>
        <translation>%1 个通道</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ChannelJump</name>
    <message>
        <source>Go to channel</source>
        <translation>转到通道</translation>
    </message>
    <message>
        <source>Part of a channel&apos;s name. Enter goes to its column, Enter again to the next match (Ctrl+Shift+N)</source>
        <translation>通道名称的一部分。按 Enter 转到该列，再按 Enter 转到下一个匹配项（Ctrl+Shift+N）</translation>
    </message>
    <message>
        <source>part of the name</source>
        <translation>名称的一部分</translation>
    </message>
    <message>
        <source>Channels found</source>
        <translation>找到的通道</translation>
    </message>
    <message>
        <source>Channels whose name contains the text</source>
        <translation>名称包含该文本的通道</translation>
    </message>
    <message>
        <source>Go to channe&amp;l</source>
        <translation>转到通道(&amp;L)</translation>
    </message>
    <message>
        <source>No channel name contains “%1”.</source>
        <translation>没有通道名称包含“%1”。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ChannelStatistics</name>
    <message>
        <source>Statistics per channel</source>
        <translation>各通道统计</translation>
    </message>
    <message>
        <source>Statistics per channel; click a header to sort, Ctrl+C copies</source>
        <translation>各通道统计；点击表头排序，Ctrl+C 复制</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ChannelStatisticsModel</name>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
</context>
<context>
    <name>casp::widgets::CollectionView</name>
    <message>
        <source>Collection of series</source>
        <translation>序列集合</translation>
    </message>
    <message>
        <source>Warnings about the series</source>
        <translation>关于序列的警告</translation>
    </message>
    <message>
        <source>Use the preset for these series</source>
        <translation>使用适合这些序列的预设</translation>
    </message>
    <message>
        <source>Applies the preset and keeps the data file, name and run settings (Ctrl+Z undoes)</source>
        <translation>应用预设，保留数据文件、名称和运行设置（Ctrl+Z 撤销）</translation>
    </message>
    <message>
        <source>Filter series</source>
        <translation>筛选序列</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>Select a series to plot its values (arrow keys)</source>
        <translation>选择序列以绘制其值（方向键）</translation>
    </message>
    <message>
        <source>Values of the series</source>
        <translation>序列的值</translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Lengths of the series</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>A preset has look-back, horizon and loss for these series.</source>
        <translation>有一个预设包含适合这些序列的回看窗口、预测步长和损失。</translation>
    </message>
    <message>
        <source>Use preset %1</source>
        <translation>使用预设 %1</translation>
    </message>
    <message>
        <source>%1 series</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>%1 of %2 series</source>
        <translation>%1/%2 个序列</translation>
    </message>
    <message>
        <source>&amp;Series</source>
        <translation>序列(&amp;S)</translation>
    </message>
    <message>
        <source>How it was rea&amp;d</source>
        <translation>读取方式(&amp;D)</translation>
    </message>
    <message>
        <source>How this file was read</source>
        <translation>此文件的读取方式</translation>
    </message>
    <message>
        <source>Each decision is detected from the content. The setting in the last column changes it (Experiment page).</source>
        <translation>每项判定均由内容检测得出。最后一列的设置可更改它（“实验”页）。</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>Last value</source>
        <translation>最后值</translation>
    </message>
    <message>
        <source>Id of the series; sorts in the order of the file</source>
        <translation>序列的 id；按文件中的顺序排序</translation>
    </message>
    <message>
        <source>Number of training values</source>
        <translation>训练值的个数</translation>
    </message>
    <message>
        <source>Last training value: the persistence forecast</source>
        <translation>最后一个训练值：即持续性预测</translation>
    </message>
    <message>
        <source>Part of the id</source>
        <translation>id 的一部分</translation>
    </message>
    <message>
        <source>Lists the series whose id contains this text. Enter moves to the list.</source>
        <translation>列出 id 含此文本的序列。按 Enter 移到列表。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ComparePanel</name>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Metric to compare</source>
        <translation>要比较的指标</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Setting on the horizontal axis: λ_cov, or any other in which the runs differ</source>
        <translation>横轴上的设置：λ_cov，或各运行取值不同的任何其他设置</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>Value that every other one is tested against, by pairs of runs with the same seed</source>
        <translation>其他各值都与该值比较检验，由随机种子相同的运行配对</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>着色依据</translation>
    </message>
    <message>
        <source>Lines with the same value of this setting share a colour and differ in marker shape</source>
        <translation>该设置取值相同的线颜色相同，标记形状不同</translation>
    </message>
    <message>
        <source>Runs to compare</source>
        <translation>要比较的运行</translation>
    </message>
    <message>
        <source>The shown runs, or all runs of the folder</source>
        <translation>所显示的运行，或文件夹中的所有运行</translation>
    </message>
    <message>
        <source>&amp;Log X</source>
        <translation>对数 X(&amp;L)</translation>
    </message>
    <message>
        <source>Logarithmic horizontal axis</source>
        <translation>横轴取对数</translation>
    </message>
    <message>
        <source>Logarithmic horizontal axis; 0 is placed separately at the left</source>
        <translation>横轴取对数；0 单独放在左侧</translation>
    </message>
    <message>
        <source>&amp;Single runs</source>
        <translation>单个运行(&amp;S)</translation>
    </message>
    <message>
        <source>Single runs</source>
        <translation>单个运行</translation>
    </message>
    <message>
        <source>Plots the runs behind each mean as faint marks; thin lines join runs of a seed</source>
        <translation>以浅色标记绘制各均值背后的运行；细线连接同一种子的运行</translation>
    </message>
    <message>
        <source>&amp;Persistence</source>
        <translation>持续性预测(&amp;P)</translation>
    </message>
    <message>
        <source>Persistence forecast</source>
        <translation>持续性预测</translation>
    </message>
    <message>
        <source>Plots the error of the persistence forecast, which repeats the last value of the look-back</source>
        <translation>绘制持续性预测的误差，该预测重复回看窗口的最后一个值</translation>
    </message>
    <message>
        <source>&amp;Difference</source>
        <translation>差异(&amp;D)</translation>
    </message>
    <message>
        <source>Difference from the base</source>
        <translation>与对照的差异</translation>
    </message>
    <message>
        <source>Plots the mean of the paired differences from the base with its 95 % interval. Hollow marks: p ≥ 0.05 after Holm&apos;s correction</source>
        <translation>绘制与对照的配对差值的均值及其 95 % 区间。空心标记：经 Holm 校正后 p ≥ 0.05</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Mean and spread</source>
        <translation>均值与离散程度</translation>
    </message>
    <message>
        <source>Number of runs, mean and sample standard deviation (n − 1) of each point; early: number of its runs finished early</source>
        <translation>各点的运行数、均值和样本标准差（n − 1）；提前：其中提前结束的运行数</translation>
    </message>
    <message>
        <source>Shown runs</source>
        <translation>显示的运行</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>所有运行</translation>
    </message>
    <message>
        <source>Comparison of runs</source>
        <translation>运行比较</translation>
    </message>
    <message>
        <source>Copy as &amp;Markdown</source>
        <translation>复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Copies the table of means and tests for notes and papers</source>
        <translation>复制均值与检验的表格，供笔记和论文使用</translation>
    </message>
    <message>
        <source>Tables of the comparison</source>
        <translation>比较的表格</translation>
    </message>
    <message>
        <source>Means and &amp;tests</source>
        <translation>均值与检验(&amp;T)</translation>
    </message>
    <message>
        <source>M&amp;odels × tasks</source>
        <translation>模型 × 任务(&amp;O)</translation>
    </message>
    <message>
        <source>Means of the plotted points and their paired tests</source>
        <translation>各绘制点的均值及其配对检验</translation>
    </message>
    <message>
        <source>Errors and ranks of the models in each task, wall time and memory</source>
        <translation>各任务中各模型的误差和排名、运行时长和内存</translation>
    </message>
    <message>
        <source>&amp;Against</source>
        <translation>横轴(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Base</source>
        <translation>对照(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Colour by</source>
        <translation>着色依据(&amp;C)</translation>
    </message>
    <message>
        <source>R&amp;uns</source>
        <translation>运行(&amp;U)</translation>
    </message>
    <message>
        <source>Runs omitted from the comparison</source>
        <translation>比较中省略的运行</translation>
    </message>
    <message>
        <source>Result of the paired tests</source>
        <translation>配对检验的结果</translation>
    </message>
    <message>
        <source>Paired tests: runs with the same seed in the same task, one value against the base.
p: two-sided Wilcoxon signed-rank test; probability of ranks at least as extreme if the value made no difference.
p after Holm&apos;s correction: accounts for the number of tests.
95 % interval: of the mean difference, bootstrap over the pairs.</source>
        <translation>配对检验：同一任务中随机种子相同的运行，一个值与对照比较。
p：双侧 Wilcoxon 符号秩检验；若该值没有影响，秩至少如此极端的概率。
Holm 校正后的 p：考虑了检验的个数。
95 % 区间：平均差值的区间，对各配对做自助法。</translation>
    </message>
    <message>
        <source>Each line</source>
        <translation>每条线</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 随 %2 的变化</translation>
    </message>
    <message>
        <source>Testing pairs of runs…</source>
        <translation>正在检验运行配对…</translation>
    </message>
    <message>
        <source>None of these runs were finished early</source>
        <translation>这些运行均未提前结束</translation>
    </message>
    <message>
        <source>Table copied as Markdown.</source>
        <translation>表格已复制为 Markdown。</translation>
    </message>
    <message>
        <source>⚠ %1 more</source>
        <translation>⚠ 还有 %1 个</translation>
    </message>
    <message>
        <source>Means over different seeds (see n): Δ compares runs with the same seed.</source>
        <translation>均值取自不同的随机种子（见 n）：Δ 比较随机种子相同的运行。</translation>
    </message>
    <message>
        <source>%1 finished early, excluded from the mean</source>
        <translation>%1 提前结束，不计入均值</translation>
    </message>
    <message>
        <source>⚠ %1 is not compared: its settings cannot be read (%2)</source>
        <translation>⚠ 未比较 %1：无法读取其设置（%2）</translation>
    </message>
    <message>
        <source>This metric is read from run.h5, for up to %1 runs.</source>
        <translation>此指标从 run.h5 读取，最多 %1 次运行。</translation>
    </message>
    <message>
        <source>All of these runs were finished early, so the means exclude them.</source>
        <translation>这些运行均提前结束，因此不计入均值。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::DataChannels</name>
    <message>
        <source>Channels over the whole length</source>
        <translation>全长上的通道</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Search channels</source>
        <translation>搜索通道</translation>
    </message>
    <message>
        <source>Show the channels whose name contains this text</source>
        <translation>显示名称包含该文本的通道</translation>
    </message>
    <message>
        <source>Channels to show</source>
        <translation>要显示的通道</translation>
    </message>
    <message>
        <source>Tick the channels to show (Space)</source>
        <translation>勾选要显示的通道（Space）</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Show all channels</source>
        <translation>显示所有通道</translation>
    </message>
    <message>
        <source>Tick all channels in the list</source>
        <translation>勾选列表中的所有通道</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Show no channel</source>
        <translation>不显示任何通道</translation>
    </message>
    <message>
        <source>Untick all channels in the list</source>
        <translation>取消勾选列表中的所有通道</translation>
    </message>
    <message>
        <source>Arrangement</source>
        <translation>排列</translation>
    </message>
    <message>
        <source>One plot per channel, or all channels in one</source>
        <translation>每个通道一幅图，或所有通道在一幅图中</translation>
    </message>
    <message>
        <source>One below the other</source>
        <translation>上下排列</translation>
    </message>
    <message>
        <source>In one plot</source>
        <translation>一幅图中</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Values as in the file, or (x − μ) / σ as in the model input</source>
        <translation>文件中的值，或模型输入中的 (x − μ) / σ</translation>
    </message>
    <message>
        <source>As in the file</source>
        <translation>与文件相同</translation>
    </message>
    <message>
        <source>Scaled</source>
        <translation>标准化</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Over the time column, or over the rows</source>
        <translation>按时间列，或按行</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>按时间</translation>
    </message>
    <message>
        <source>Over rows</source>
        <translation>按行</translation>
    </message>
    <message>
        <source>No markers</source>
        <translation>不画标记值</translation>
    </message>
    <message>
        <source>Draw markers for missing values as gaps</source>
        <translation>将缺失值的标记绘制为空缺</translation>
    </message>
    <message>
        <source>Whole length</source>
        <translation>全长</translation>
    </message>
    <message>
        <source>Show the whole length</source>
        <translation>显示全长</translation>
    </message>
    <message>
        <source>Undo the zoom (Home)</source>
        <translation>撤销缩放（Home）</translation>
    </message>
    <message>
        <source>Open a CSV file.
All its channels appear here over the whole length.</source>
        <translation>请打开一个 CSV 文件。
此处将显示其所有通道的全长。</translation>
    </message>
    <message>
        <source>Channels, no split</source>
        <translation>通道，无划分</translation>
    </message>
    <message>
        <source>Draws %1 as gaps: values listed in data.sentinels, and suspected markers</source>
        <translation>将 %1 绘制为空缺：data.sentinels 中列出的值和疑似标记</translation>
    </message>
    <message>
        <source>Over the rows: the file has no increasing time column</source>
        <translation>按行：文件没有递增的时间列</translation>
    </message>
</context>
<context>
    <name>casp::widgets::DataPanel</name>
    <message>
        <source>The experiment trains on this file (data.path), read as shown here</source>
        <translation>实验在该文件上训练（data.path），按此处显示的方式读取</translation>
    </message>
    <message>
        <source>Train on this file, read with your corrections (sets data.path and data.csv)</source>
        <translation>在该文件上训练，按您的更正读取（设置 data.path 和 data.csv）</translation>
    </message>
    <message>
        <source>Train on this file (sets data.path)</source>
        <translation>在该文件上训练（设置 data.path）</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>About the file</source>
        <translation>关于该文件</translation>
    </message>
    <message>
        <source>&amp;Read again</source>
        <translation>重新读取(&amp;R)</translation>
    </message>
    <message>
        <source>Read the file again with the settings below</source>
        <translation>按下面的设置重新读取文件</translation>
    </message>
    <message>
        <source>&amp;Keep the earlier content</source>
        <translation>保留原内容(&amp;K)</translation>
    </message>
    <message>
        <source>Drop this correction and keep the content read before it</source>
        <translation>放弃此更正，保留之前读取的内容</translation>
    </message>
    <message>
        <source>Close the file</source>
        <translation>关闭文件</translation>
    </message>
    <message>
        <source>Remove the file from the list; it is not deleted</source>
        <translation>从列表中移除文件；文件不会被删除</translation>
    </message>
    <message>
        <source>Pages of the file</source>
        <translation>文件的标签页</translation>
    </message>
    <message>
        <source>&amp;Table</source>
        <translation>表格(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Channels</source>
        <translation>通道(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Preparation</source>
        <translation>预处理(&amp;P)</translation>
    </message>
    <message>
        <source>Values, how they were read, and warnings</source>
        <translation>值、读取方式和警告</translation>
    </message>
    <message>
        <source>All channels over the whole length, with the split borders</source>
        <translation>所有通道的全长及划分边界</translation>
    </message>
    <message>
        <source>Split, missing values, sentinels, scaler and statistics</source>
        <translation>划分、缺失值、哨兵值、标准化器和统计</translation>
    </message>
    <message>
        <source>Open files</source>
        <translation>打开的文件</translation>
    </message>
    <message>
        <source>Open files; Ctrl+W closes the current one</source>
        <translation>打开的文件；Ctrl+W 关闭当前文件</translation>
    </message>
    <message>
        <source>Close file</source>
        <translation>关闭文件</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open data files</source>
        <translation>打开数据文件</translation>
    </message>
    <message>
        <source>Open data files; you can also drop them on the window</source>
        <translation>打开数据文件；也可将文件拖放到主窗口</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Progress of reading the file</source>
        <translation>读取文件的进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel reading</source>
        <translation>取消读取</translation>
    </message>
    <message>
        <source>Stop reading; the content read before is kept</source>
        <translation>停止读取；保留之前读取的内容</translation>
    </message>
    <message>
        <source>Reading %1 was cancelled</source>
        <translation>已取消读取 %1</translation>
    </message>
    <message>
        <source>Open a folder of M4 (Train and Test)</source>
        <translation>打开 M4 文件夹（Train 和 Test）</translation>
    </message>
    <message>
        <source>No table is open. Open a CSV file first.</source>
        <translation>没有打开的表格。请先打开一个 CSV 文件。</translation>
    </message>
    <message>
        <source>The file is being read again. Try again when it is complete.</source>
        <translation>文件正在重新读取。完成后请重试。</translation>
    </message>
    <message>
        <source>&amp;Table · %1</source>
        <translation>表格(&amp;T) · %1</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>条警告</translation>
    </message>
    <message>
        <source>warnings</source>
        <translation>条警告</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>, %1</source>
        <translation>，%1</translation>
    </message>
    <message>
        <source>✓ In use</source>
        <translation>✓ 使用中</translation>
    </message>
    <message>
        <source>&amp;Use this file</source>
        <translation>使用此文件(&amp;U)</translation>
    </message>
    <message>
        <source>This file is in use</source>
        <translation>此文件正在使用</translation>
    </message>
    <message>
        <source>Train on this file</source>
        <translation>在此文件上训练</translation>
    </message>
    <message>
        <source>The experiment has the settings of preset %1. Ctrl+Z restores the previous settings.</source>
        <translation>实验已采用预设 %1 的设置。Ctrl+Z 恢复之前的设置。</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>Train on these series (sets data.path, data.frequency and data.horizon)</source>
        <translation>在这些序列上训练（设置 data.path、data.frequency 和 data.horizon）</translation>
    </message>
    <message>
        <source>How it was rea&amp;d</source>
        <translation>读取方式(&amp;D)</translation>
    </message>
    <message>
        <source>Every decision of reading the file with its reason, to be corrected</source>
        <translation>读取文件时的每项判定及其理由，可更正</translation>
    </message>
    <message>
        <source>The experiment reads %1 in this way, too</source>
        <translation>实验也按此方式读取 %1</translation>
    </message>
    <message>
        <source>Drop a CSV file here</source>
        <translation>将 CSV 文件拖放到此处</translation>
    </message>
    <message>
        <source>This page then shows the table, how it was read and how to correct that, warnings with their lines, every channel over the whole file with the borders of training, validation and test, and the effect of the scaler and the missing-value policy.

Any delimiter, decimal separator and encoding; a date column is detected automatically, whatever its name. A folder with the files of M4, or a CSV file with the columns unique_id, ds and y, is a collection of series.</source>
        <translation>随后此页显示：表格、其读取方式以及如何更正，警告及其行号，整个文件中的每个通道及训练集、验证集和测试集的边界，以及标准化器和缺失值处理的效果。

任何分隔符、小数点符号和编码均可；日期列无论名称如何都会自动检测。M4 文件的文件夹，或包含 unique_id、ds 和 y 列的 CSV 文件，视为序列集合。</translation>
    </message>
    <message>
        <source>&amp;Open CSV…</source>
        <translation>打开 CSV(&amp;O)…</translation>
    </message>
    <message>
        <source>Open one or more CSV files</source>
        <translation>打开一个或多个 CSV 文件</translation>
    </message>
    <message>
        <source>Open &amp;folder…</source>
        <translation>打开文件夹(&amp;F)…</translation>
    </message>
    <message>
        <source>Open the collections of series in a folder of M4 (Train and Test)</source>
        <translation>打开 M4 文件夹（Train 和 Test）中的序列集合</translation>
    </message>
    <message>
        <source>&amp;Sample data set</source>
        <translation>示例数据集(&amp;S)</translation>
    </message>
    <message>
        <source>Two years of hourly values in seven channels, included with the program</source>
        <translation>七个通道、两年的小时数据，随程序提供</translation>
    </message>
    <message>
        <source>&amp;Get data</source>
        <translation>获取数据(&amp;G)</translation>
    </message>
    <message>
        <source>Download a benchmark data set; nothing is downloaded until you choose one</source>
        <translation>下载基准数据集；在您选择之前不会下载任何内容</translation>
    </message>
    <message>
        <source>M4 competition</source>
        <translation>M4 竞赛</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source> (manual download)</source>
        <translation> （需手动下载）</translation>
    </message>
    <message>
        <source>Tr&amp;y it</source>
        <translation>试一试(&amp;Y)</translation>
    </message>
    <message>
        <source>Try it on this file</source>
        <translation>用此文件试一试</translation>
    </message>
    <message>
        <source>Trains a small model on this file with λ_cov 0 and 0.1, three seeds each, in one to two minutes: on the first 3,360 rows and 8 channels of a larger file. The settings on the right become those of these runs; Ctrl+Z restores them.</source>
        <translation>在一到两分钟内用此文件训练一个小模型，λ_cov 为 0 和 0.1，各三个种子；较大的文件只用前 3,360 行和 8 个通道。右侧的设置会变为这些运行的设置；Ctrl+Z 可恢复。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::DataPolicy</name>
    <message>
        <source>Split (data.split)</source>
        <translation>划分（data.split）</translation>
    </message>
    <message>
        <source>Borders of training, validation and test (data.split)</source>
        <translation>训练集、验证集和测试集的边界（data.split）</translation>
    </message>
    <message>
        <source>auto: the data set’s rule if it is known, else 70/10/20 %</source>
        <translation>auto：若数据集已知则用其规则，否则 70/10/20 %</translation>
    </message>
    <message>
        <source>ratio: 70 / 10 / 20 %</source>
        <translation>ratio：70 / 10 / 20 %</translation>
    </message>
    <message>
        <source>ett-hourly: 12, 4 and 4 months of hourly rows</source>
        <translation>ett-hourly：12、4 和 4 个月的小时数据</translation>
    </message>
    <message>
        <source>ett-minutely: 12, 4 and 4 months of 15-minute rows</source>
        <translation>ett-minutely：12、4 和 4 个月的 15 分钟数据</translation>
    </message>
    <message>
        <source>rows: explicit row counts</source>
        <translation>rows：明确指定行数</translation>
    </message>
    <message>
        <source>Missing values, data.missing</source>
        <translation>缺失值，data.missing</translation>
    </message>
    <message>
        <source>Treatment of missing cells and listed sentinels (data.missing)</source>
        <translation>对缺失单元格和所列哨兵值的处理（data.missing）</translation>
    </message>
    <message>
        <source>error: a run does not start</source>
        <translation>error：运行不会开始</translation>
    </message>
    <message>
        <source>interpolate: linear between the neighbours</source>
        <translation>interpolate：在相邻值之间线性插值</translation>
    </message>
    <message>
        <source>drop-column: omit such channels</source>
        <translation>drop-column：省略这些通道</translation>
    </message>
    <message>
        <source>keep: sentinel values stay unchanged, as published</source>
        <translation>keep：哨兵值保持不变，与发表时相同</translation>
    </message>
    <message>
        <source>Sentinels, data.sentinels</source>
        <translation>哨兵值，data.sentinels</translation>
    </message>
    <message>
        <source>Values that count as missing, separated by blanks (data.sentinels)</source>
        <translation>视为缺失的值，以空格分隔（data.sentinels）</translation>
    </message>
    <message>
        <source>none; for example -9999</source>
        <translation>无；例如 -9999</translation>
    </message>
    <message>
        <source>All channels</source>
        <translation>所有通道</translation>
    </message>
    <message>
        <source>Use all channels</source>
        <translation>使用所有通道</translation>
    </message>
    <message>
        <source>Use all channels of the file (data.columns = [])</source>
        <translation>使用文件的所有通道（data.columns = []）</translation>
    </message>
    <message>
        <source>Origin of the file</source>
        <translation>文件来源</translation>
    </message>
    <message>
        <source>Effect of the split</source>
        <translation>划分的效果</translation>
    </message>
    <message>
        <source>Effect of the scaler</source>
        <translation>标准化器的效果</translation>
    </message>
    <message>
        <source>Treatment of missing values</source>
        <translation>缺失值的处理</translation>
    </message>
    <message>
        <source>Count suspicious values as missing</source>
        <translation>将可疑值视为缺失</translation>
    </message>
    <message>
        <source>Adds the suspicious values to data.sentinels</source>
        <translation>将可疑值加入 data.sentinels</translation>
    </message>
    <message>
        <source>Treat missing values as published</source>
        <translation>按发表时的方式处理缺失值</translation>
    </message>
    <message>
        <source>Sets data.missing as it was for the published numbers</source>
        <translation>将 data.missing 设为得到发表数值时所用的设置</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>S&amp;plit</source>
        <translation>划分(&amp;P)</translation>
    </message>
    <message>
        <source>M&amp;issing values</source>
        <translation>缺失值(&amp;I)</translation>
    </message>
    <message>
        <source>Se&amp;ntinels</source>
        <translation>哨兵值(&amp;N)</translation>
    </message>
    <message>
        <source>Scaler</source>
        <translation>标准化器</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>“%1” is not a number</source>
        <translation>“%1”不是数字</translation>
    </message>
    <message>
        <source>numbers separated by blanks, such as -9999 999.9</source>
        <translation>以空格分隔的数字，例如 -9999 999.9</translation>
    </message>
    <message>
        <source>%1 of %2 ticked in the table below</source>
        <translation>下表中已勾选 %1/%2 个</translation>
    </message>
    <message>
        <source>Count %1 as missing</source>
        <translation>将 %1 视为缺失</translation>
    </message>
    <message>
        <source>As published: “%1”</source>
        <translation>同发表时：“%1”</translation>
    </message>
    <message>
        <source>Published numbers of %1 were made with data.missing = &quot;%2&quot;</source>
        <translation>%1 的发表数值采用 data.missing = &quot;%2&quot; 得到</translation>
    </message>
    <message>
        <source>fractions: of the rows</source>
        <translation>fractions：占行数的比例</translation>
    </message>
    <message>
        <source>dates: first row of validation and of test</source>
        <translation>dates：验证集和测试集的第一行</translation>
    </message>
</context>
<context>
    <name>casp::widgets::DataProblemBox</name>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>应为</translation>
    </message>
    <message>
        <source>Text can be selected and copied</source>
        <translation>文本可选择和复制</translation>
    </message>
</context>
<context>
    <name>casp::widgets::DataReadings</name>
    <message>
        <source>How this file was read</source>
        <translation>此文件的读取方式</translation>
    </message>
    <message>
        <source>Each decision is detected from the content. A change reads the file again.</source>
        <translation>每项判定均由内容检测得出。更改后会重新读取文件。</translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>As detected</source>
        <translation>按检测结果</translation>
    </message>
    <message>
        <source>Read as detected</source>
        <translation>按检测结果读取</translation>
    </message>
    <message>
        <source>Remove all corrections and detect the format from the content</source>
        <translation>移除所有更正，根据内容检测格式</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>未发现</translation>
    </message>
</context>
<context>
    <name>casp::widgets::DifferencePanel</name>
    <message>
        <source>&amp;Equal settings too</source>
        <translation>也列出相同设置(&amp;E)</translation>
    </message>
    <message>
        <source>Copy as &amp;Markdown</source>
        <translation>复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>Copy as CS&amp;V</source>
        <translation>复制为 CSV(&amp;V)</translation>
    </message>
    <message>
        <source>Difference of settings</source>
        <translation>设置的差异</translation>
    </message>
    <message>
        <source>Equal settings too</source>
        <translation>也列出相同设置</translation>
    </message>
    <message>
        <source>Also lists the settings that all selected runs share</source>
        <translation>也列出所有选中运行共有的设置</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Copies this table for notes and papers</source>
        <translation>复制该表格，供笔记和论文使用</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Copies this table for a spreadsheet</source>
        <translation>复制该表格，供电子表格使用</translation>
    </message>
    <message>
        <source>Settings in which the runs differ, and their results</source>
        <translation>各运行之间不同的设置及其结果</translation>
    </message>
    <message>
        <source>Notes on this table</source>
        <translation>关于此表的说明</translation>
    </message>
    <message>
        <source>This table lists the settings in which runs differ, beside their results.
Select two or more runs in the list, then choose “Difference of settings”.</source>
        <translation>此表列出各运行之间不同的设置，旁边是其结果。
请在列表中选择两个或更多运行，再选“设置的差异”。</translation>
    </message>
    <message>
        <source>Only the first %1 of %2 runs are listed.</source>
        <translation>仅列出前 %1 个运行，共 %2 个。</translation>
    </message>
    <message>
        <source>%1: settings cannot be read (%2)</source>
        <translation>%1：设置无法读取（%2）</translation>
    </message>
    <message>
        <source>Only one run: all of its settings and results are listed.</source>
        <translation>只有一个运行：列出其所有设置和结果。</translation>
    </message>
    <message>
        <source>These runs have the same settings.</source>
        <translation>这些运行的设置相同。</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Differences copied as Markdown.</source>
        <translation>差异已复制为 Markdown。</translation>
    </message>
    <message>
        <source>Differences copied as CSV.</source>
        <translation>差异已复制为 CSV。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::EmbeddingView</name>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Points in two or three dimensions. Arrow keys pan, plus and minus zoom, 0 shows all points, Page Up and Page Down step from point to point, Return selects the point.</source>
        <translation>二维或三维中的点。方向键平移，加号和减号缩放，0 显示所有点，Page Up 和 Page Down 逐点移动，Return 选择该点。</translation>
    </message>
    <message>
        <source>Arrow keys pan or rotate, plus and minus zoom, 0 shows all points, 2 and 3 switch between two and three dimensions, L starts the lasso, Page Up and Page Down step from point to point, Return selects the point.</source>
        <translation>方向键平移或旋转，加号和减号缩放，0 显示所有点，2 和 3 在二维和三维之间切换，L 开始套索，Page Up 和 Page Down 逐点移动，Return 选择该点。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::EmbeddingsPage</name>
    <message>
        <source>Omitted, no embeddings: %1</source>
        <translation>已省略，没有嵌入：%1</translation>
    </message>
    <message>
        <source>Omitted, at most %1 runs are shown: %2</source>
        <translation>已省略，最多显示 %1 个运行：%2</translation>
    </message>
    <message>
        <source>A t-SNE needs the embedding vectors, which are kept for the latest snapshot only. Select the latest snapshot, or embeddings of the best checkpoint.</source>
        <translation>t-SNE 需要嵌入向量，而向量只为最新快照保留。请选择最新快照，或最佳检查点的嵌入。</translation>
    </message>
    <message>
        <source>Press Start t-SNE to lay out all points. The picture follows the optimisation, which can be paused, continued and stopped; the layout can be stored.</source>
        <translation>请按“开始 t-SNE”布局所有点。图随优化更新，可暂停、继续和停止；布局可以存储。</translation>
    </message>
    <message>
        <source> A t-SNE is stored for %1: compute those embeddings to see it.</source>
        <translation> 已为 %1 存储了一个 t-SNE：请计算相应嵌入以查看它。</translation>
    </message>
    <message>
        <source>; </source>
        <translation>； </translation>
    </message>
    <message>
        <source>Embeddings in space</source>
        <translation>空间中的嵌入</translation>
    </message>
    <message>
        <source>PCA of anchors, series and prompts</source>
        <translation>锚点、序列和提示的 PCA</translation>
    </message>
    <message>
        <source>Variance on PC1 and PC1 + PC2</source>
        <translation>PC1 以及 PC1 + PC2 的方差</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Usage of anchors</source>
        <translation>锚点使用次数</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Error (MSE)</source>
        <translation>误差（MSE）</translation>
    </message>
    <message>
        <source>Colour of points</source>
        <translation>点的颜色</translation>
    </message>
    <message>
        <source>Colour points by kind or by run, anchors by usage, or windows by channel, start time or forecast MSE</source>
        <translation>按类型或运行为点着色，按使用次数为锚点着色，或按通道、起始时间或预测 MSE 为窗口着色</translation>
    </message>
    <message>
        <source>&amp;Colour</source>
        <translation>颜色(&amp;C)</translation>
    </message>
    <message>
        <source>Show the V&apos; anchors</source>
        <translation>显示 V&apos; 个锚点</translation>
    </message>
    <message>
        <source>Show the windows&apos; time-series embeddings (series)</source>
        <translation>显示窗口的时间序列嵌入（序列）</translation>
    </message>
    <message>
        <source>Show the prompt embeddings: each window&apos;s mean over its K anchors and its patches</source>
        <translation>显示提示嵌入：每个窗口对其 K 个锚点和各片段的平均</translation>
    </message>
    <message>
        <source>Preparing the t-SNE: searching for the neighbours of all points.</source>
        <translation>正在准备 t-SNE：搜索所有点的近邻。</translation>
    </message>
    <message>
        <source>Anchors, series and prompts appear here as point clouds, up to four runs side by side on the same axes. Drag to rotate, Shift+drag to select points.</source>
        <translation>此处将锚点、序列和提示显示为点云，最多四个运行并排，坐标轴相同。拖动可旋转，Shift+拖动可选择点。</translation>
    </message>
    <message>
        <source>embeddings</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source> Show a run with embeddings.</source>
        <translation> 请显示一个有嵌入的运行。</translation>
    </message>
    <message>
        <source>Computing the embeddings.</source>
        <translation>正在计算嵌入。</translation>
    </message>
    <message>
        <source>Reading the stored embeddings.</source>
        <translation>正在读取已存储的嵌入。</translation>
    </message>
    <message>
        <source>This snapshot has no embeddings yet. Select its step above and press Compute embeddings to embed the windows with the weights of that step. Runs with run.store_embeddings keep these weights.</source>
        <translation>此快照还没有嵌入。请在上方选择其步数，再按“计算嵌入”，以该步的权重嵌入各窗口。设置了 run.store_embeddings 的运行会保留这些权重。</translation>
    </message>
    <message>
        <source>These runs have no stored (run.store_embeddings) or computed embeddings yet. Press Compute embeddings to embed their windows with the best weights.</source>
        <translation>这些运行还没有存储（run.store_embeddings）或计算的嵌入。请按“计算嵌入”，以最佳权重嵌入其窗口。</translation>
    </message>
    <message>
        <source>No embeddings to lay out yet</source>
        <translation>还没有可布局的嵌入</translation>
    </message>
    <message>
        <source>The embedding vectors of this snapshot were not kept</source>
        <translation>此快照的嵌入向量未保留</translation>
    </message>
    <message>
        <source>No kind of points is selected. Check anchors, series or prompts above.</source>
        <translation>未选择任何类型的点。请勾选上方的锚点、序列或提示。</translation>
    </message>
    <message>
        <source>These runs have embeddings of %1 and %2 dimensions: show one run at a time for a t-SNE</source>
        <translation>这些运行的嵌入分别有 %1 维和 %2 维：t-SNE 请一次只显示一个运行</translation>
    </message>
    <message numerus="yes">
        <source>Storing the layout in arrays.h5 of %n run(s)</source>
        <translation>
            <numerusform>正在将布局存入 %n 个运行的 arrays.h5</numerusform>
        </translation>
    </message>
    <message>
        <source>Layouts can be stored for finished runs only; this one is of a probe</source>
        <translation>只能为已完成的运行存储布局；此布局属于探针</translation>
    </message>
    <message>
        <source>t-SNE of anchors, series and prompts</source>
        <translation>锚点、序列和提示的 t-SNE</translation>
    </message>
    <message>
        <source>%1 of the embeddings: %2.</source>
        <translation>嵌入的%1：%2。</translation>
    </message>
    <message>
        <source>t-SNE</source>
        <translation>t-SNE</translation>
    </message>
    <message>
        <source>First two principal components</source>
        <translation>前两个主成分</translation>
    </message>
    <message>
        <source>Each run has a separate layout: runs of different seeds, models or backbones begin with other weights, so that positions in their embedding spaces do not correspond.</source>
        <translation>每个运行有单独的布局：不同随机种子、模型或骨干网络的运行从不同的权重开始，因此其嵌入空间中的位置互不对应。</translation>
    </message>
    <message>
        <source>Explained variance of each kind</source>
        <translation>各类的解释方差</translation>
    </message>
    <message>
        <source>Fraction of the variance of each kind on its own first two principal components, from a separate PCA of each kind. Centred: around the mean; uncentred: around zero, as in the paper&apos;s formula</source>
        <translation>每一类在其自身前两个主成分上的方差比例，由每一类单独的 PCA 得出。中心化：以均值为中心；非中心化：以零为中心，与论文的公式相同</translation>
    </message>
    <message>
        <source>PC1, centred (%)</source>
        <translation>PC1，中心化（%）</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>PC1, uncentred (%)</source>
        <translation>PC1，非中心化（%）</translation>
    </message>
</context>
<context>
    <name>casp::widgets::EmbeddingsSource</name>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Probe windows (each snapshot)</source>
        <translation>探针窗口（各快照）</translation>
    </message>
    <message>
        <source>Best checkpoint</source>
        <translation>最佳检查点</translation>
    </message>
    <message>
        <source>Windows at a snapshot</source>
        <translation>快照时的窗口</translation>
    </message>
    <message>
        <source>Shown embeddings</source>
        <translation>显示的嵌入</translation>
    </message>
    <message>
        <source>A few validation windows at each snapshot, live or stored by the run (run.store_embeddings); or the windows of a split at the best checkpoint or at the selected snapshot, stored in the run or computed here</source>
        <translation>每个快照时的少量验证窗口，实时计算或由运行存储（run.store_embeddings）；或最佳检查点或所选快照时某个划分的窗口，存储在运行中或在此计算</translation>
    </message>
    <message>
        <source>Embeddings &amp;of</source>
        <translation>嵌入来源(&amp;O)</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试集</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证集</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练集</translation>
    </message>
    <message>
        <source>Split of the windows</source>
        <translation>窗口所属的划分</translation>
    </message>
    <message>
        <source>Split whose windows are embedded at the best checkpoint or the snapshot</source>
        <translation>在最佳检查点或快照时嵌入其窗口的划分</translation>
    </message>
    <message>
        <source>All windows</source>
        <translation>所有窗口</translation>
    </message>
    <message>
        <source>At most </source>
        <translation>最多 </translation>
    </message>
    <message>
        <source> windows</source>
        <translation> 个窗口</translation>
    </message>
    <message>
        <source>Maximum number of windows</source>
        <translation>窗口数上限</translation>
    </message>
    <message>
        <source>Maximum number of windows to embed, evenly spaced over the split; 0: all. The number used is shown beside the picture.</source>
        <translation>要嵌入的窗口数上限，在划分上均匀选取；0：全部。实际所用的数目显示在图旁。</translation>
    </message>
    <message>
        <source>All channels</source>
        <translation>所有通道</translation>
    </message>
    <message>
        <source>Selected channels</source>
        <translation>选中的通道</translation>
    </message>
    <message>
        <source>Embedded channels</source>
        <translation>嵌入的通道</translation>
    </message>
    <message>
        <source>All channels, or the selected ones</source>
        <translation>所有通道，或选中的通道</translation>
    </message>
    <message>
        <source>Each patch</source>
        <translation>每个片段</translation>
    </message>
    <message>
        <source>One series point per patch instead of one per window (the mean over its patches, which is the query for the anchors)</source>
        <translation>每个片段一个序列点，而不是每个窗口一个（各片段的平均，即检索锚点所用的查询）</translation>
    </message>
    <message>
        <source>Prefi&amp;x only</source>
        <translation>仅前缀(&amp;X)</translation>
    </message>
    <message>
        <source>Prompt embedding: mean over the K prefix anchors only instead of over all K + N_p tokens</source>
        <translation>提示嵌入：只对 K 个前缀锚点取平均，而不是对全部 K + N_p 个词元</translation>
    </message>
    <message>
        <source>Co&amp;mpute embeddings</source>
        <translation>计算嵌入(&amp;M)</translation>
    </message>
    <message>
        <source>Progress of the embeddings</source>
        <translation>嵌入的进度</translation>
    </message>
    <message>
        <source>Progress of computing or storing the embeddings</source>
        <translation>计算或存储嵌入的进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stops computing; the previous embeddings stay visible</source>
        <translation>停止计算；之前的嵌入保持显示</translation>
    </message>
    <message>
        <source>S&amp;tore in the run</source>
        <translation>存入运行(&amp;T)</translation>
    </message>
    <message>
        <source>Stores these embeddings in the run&apos;s arrays.h5 (group /embedding), for later sessions and other programs</source>
        <translation>将这些嵌入存入运行的 arrays.h5（组 /embedding），供以后的会话和其他程序使用</translation>
    </message>
    <message>
        <source>Description of the shown embeddings</source>
        <translation>所示嵌入的说明</translation>
    </message>
    <message>
        <source>None of these runs is finished and has stored snapshots. Snapshots are stored with run.store_embeddings = true.</source>
        <translation>这些运行中没有已完成且存有快照的运行。设置 run.store_embeddings = true 可存储快照。</translation>
    </message>
    <message>
        <source>Embeddings are computed from the best weights of finished runs, and none of these runs has any. Select other runs on the left.</source>
        <translation>嵌入由已完成运行的最佳权重计算，而这些运行都没有最佳权重。请在左侧选择其他运行。</translation>
    </message>
    <message>
        <source> (cannot be stored: the run&apos;s own embeddings of this step are stored already)</source>
        <translation> （无法存储：运行自身在该步的嵌入已经存储）</translation>
    </message>
    <message>
        <source>Embeddings are stored in the folders of %1.</source>
        <translation>嵌入已存储在 %1 的文件夹中。</translation>
    </message>
    <message>
        <source>Embeds the windows with the weights of %1 (of the shown runs at most four, the highlighted one first)</source>
        <translation>用 %1 的权重嵌入窗口（所显示的运行中最多四个，高亮的运行优先）</translation>
    </message>
    <message>
        <source>Embeds the windows with the weights of shown finished runs (CASP-LLM, S2IP-LLM, OFA, a Python file with embed)</source>
        <translation>用所显示的已完成运行的权重嵌入窗口（CASP-LLM、S2IP-LLM、OFA、带有 embed 的 Python 文件）</translation>
    </message>
</context>
<context>
    <name>casp::widgets::EmbeddingsSpace</name>
    <message>
        <source>3-D</source>
        <translation>三维</translation>
    </message>
    <message>
        <source>Three dimensions</source>
        <translation>三维</translation>
    </message>
    <message>
        <source>On: three components, drag to rotate (key 3). Off: the first two components (key 2)</source>
        <translation>开启：三个分量，拖动可旋转（键 3）。关闭：前两个分量（键 2）</translation>
    </message>
    <message>
        <source>Lasso</source>
        <translation>套索</translation>
    </message>
    <message>
        <source>Drag to select points with a lasso (key L, or hold Shift); Ctrl adds to the selection</source>
        <translation>拖动以套索选择点（键 L，或按住 Shift）；按 Ctrl 添加到选择</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show all points</source>
        <translation>显示所有点</translation>
    </message>
    <message>
        <source>Bring all points into view (key 0)</source>
        <translation>使所有点可见（键 0）</translation>
    </message>
    <message>
        <source>Embeddings in space</source>
        <translation>空间中的嵌入</translation>
    </message>
    <message>
        <source>Embeddings in space, run %1</source>
        <translation>空间中的嵌入，运行 %1</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ExperimentEstimate</name>
    <message>
        <source>Estimate of memory and time</source>
        <translation>内存和时间估计</translation>
    </message>
    <message>
        <source>Memory warning</source>
        <translation>内存警告</translation>
    </message>
    <message>
        <source>Missing backbone</source>
        <translation>缺少骨干网络</translation>
    </message>
    <message>
        <source>File and preset do not match</source>
        <translation>文件与预设不符</translation>
    </message>
    <message>
        <source>Get GPT-2…</source>
        <translation>获取 GPT-2…</translation>
    </message>
    <message>
        <source>Opens Get data or GPT-2 to download it</source>
        <translation>打开“获取数据或 GPT-2”以下载</translation>
    </message>
    <message>
        <source>Use an untrained backbone</source>
        <translation>使用未训练的骨干网络</translation>
    </message>
    <message>
        <source>Sets backbone.path to &quot;untrained&quot;: random weights, to try things out. Ctrl+Z undoes it.</source>
        <translation>将 backbone.path 设为 &quot;untrained&quot;：随机权重，供试用。Ctrl+Z 可撤销。</translation>
    </message>
    <message>
        <source>No estimate: %1</source>
        <translation>无法估计：%1</translation>
    </message>
    <message>
        <source>Choose a data file to estimate memory and time of the run.</source>
        <translation>请选择数据文件，以估计运行的内存和时间。</translation>
    </message>
    <message>
        <source>Resolve the contradictory settings to estimate memory and time.</source>
        <translation>请解决相互矛盾的设置，以估计运行的内存和时间。</translation>
    </message>
    <message>
        <source>Estimated memory and time of the run appear here.</source>
        <translation>此处显示运行的内存和时间估计。</translation>
    </message>
    <message>
        <source> on %1</source>
        <translation> （%1）</translation>
    </message>
    <message>
        <source>%1 parameters, %2 of them trained</source>
        <translation>%1 个参数，其中 %2 个参与训练</translation>
    </message>
    <message>
        <source>⚠ Will not fit: a step needs %1, and %2 are free%3. %4</source>
        <translation>⚠ 内存不足：一步需要 %1，可用 %2%3。%4</translation>
    </message>
    <message>
        <source>A batch size of %1 fits.</source>
        <translation>批大小 %1 可以容纳。</translation>
    </message>
    <message>
        <source>Not even a batch of one fits: use fewer backbone layers, a shorter look-back L or another device.</source>
        <translation>批大小为 1 也无法容纳：请减少骨干网络层数、缩短回看窗口 L 或换用其他设备。</translation>
    </message>
    <message>
        <source>Use batch size %1</source>
        <translation>使用批大小 %1</translation>
    </message>
    <message>
        <source>Sets train.batch_size to %1; Ctrl+Z undoes it</source>
        <translation>将 train.batch_size 设为 %1；Ctrl+Z 可撤销</translation>
    </message>
    <message>
        <source>⚠ %1.</source>
        <translation>⚠ %1。</translation>
    </message>
    <message>
        <source>⚠ %1: a run would stop at once.</source>
        <translation>⚠ %1：运行会立即停止。</translation>
    </message>
    <message>
        <source>⚠ Cannot run: %1</source>
        <translation>⚠ 无法运行：%1</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>%1 training, %2 validation and %3 test windows</source>
        <translation>训练、验证和测试窗口数：%1、%2、%3</translation>
    </message>
    <message>
        <source>⚠ Early stopping and the best weights rest on %1 validation windows.</source>
        <translation>⚠ 早停和最佳权重仅依据 %1 个验证窗口。</translation>
    </message>
    <message>
        <source>⚠ Test errors are means over %1 windows.</source>
        <translation>⚠ 测试误差仅是 %1 个窗口的均值。</translation>
    </message>
    <message>
        <source>Sets %1, with which the run can start. Ctrl+Z undoes it.</source>
        <translation>设置 %1，之后运行即可启动。Ctrl+Z 可撤销。</translation>
    </message>
    <message>
        <source>other programs use %1 of %2 on %3</source>
        <translation>其他程序占用 %3 上 %2 中的 %1</translation>
    </message>
    <message>
        <source>For a first try: few train.epochs or train.max_steps, backbone.layers = 1, or an untrained backbone.</source>
        <translation>初次尝试时：减少 train.epochs 或 train.max_steps，设 backbone.layers = 1，或使用未训练的骨干网络。</translation>
    </message>
    <message>
        <source>Time of the whole run and peak memory of the program, from the shapes and short measurements of this computer, corrected by what finished runs of the model took on it. Longer while the computer is busy.</source>
        <translation>整次运行的时间和程序的峰值内存，由形状和对本机的简短测量得出，并按该模型在本机已完成的运行实际所需进行修正。本机繁忙时更长。</translation>
    </message>
    <message>
        <source>At most %1</source>
        <translation>最多 %1</translation>
    </message>
    <message>
        <source>About %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>about %1 of memory</source>
        <translation>约 %1 内存</translation>
    </message>
    <message>
        <source> (%1 free)</source>
        <translation> （%1 可用）</translation>
    </message>
    <message>
        <source>Rough: no run of this model has finished on this computer yet.</source>
        <translation>粗略估计：该模型尚未在本机完成过运行。</translation>
    </message>
    <message>
        <source>%1 with the precision %2 (run.precision), whose results differ slightly</source>
        <translation>使用精度 %2（run.precision）时 %1，结果略有不同</translation>
    </message>
    <message>
        <source>%1 steps per epoch</source>
        <translation>每轮 %1 步</translation>
    </message>
    <message>
        <source>What a model in Python costs is known when it runs.</source>
        <translation>Python 模型的开销在运行时才能得知。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ExperimentModel</name>
    <message>
        <source>%1 = %2</source>
        <translation>%1 = %2</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>重置 %1</translation>
    </message>
    <message>
        <source>Reset all settings</source>
        <translation>重置所有设置</translation>
    </message>
    <message>
        <source>Preset: none</source>
        <translation>预设：无</translation>
    </message>
    <message>
        <source>Preset %1</source>
        <translation>预设 %1</translation>
    </message>
    <message>
        <source>Edit TOML</source>
        <translation>编辑 TOML</translation>
    </message>
    <message>
        <source>No sweep over %1</source>
        <translation>不扫描 %1</translation>
    </message>
    <message>
        <source>%1 is listed twice; expected distinct values</source>
        <translation>%1 重复列出；各值应互不相同</translation>
    </message>
    <message>
        <source>Sweep over %1</source>
        <translation>扫描 %1</translation>
    </message>
    <message>
        <source>Use defaults</source>
        <translation>使用默认值</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ExperimentPanel</name>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Restore the settings that were replaced</source>
        <translation>恢复被替换的设置</translation>
    </message>
    <message>
        <source>Why the experiment cannot run yet</source>
        <translation>实验尚不能运行的原因</translation>
    </message>
    <message>
        <source>Show setting</source>
        <translation>显示设置</translation>
    </message>
    <message>
        <source>Go to the setting that prevents the experiment from running</source>
        <translation>转到使实验无法运行的设置</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save the experiment as TOML with all settings written out</source>
        <translation>将实验保存为 TOML，写出所有设置</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the experiment as TOML with all settings written out</source>
        <translation>将实验复制为 TOML，写出所有设置</translation>
    </message>
    <message>
        <source>TOML</source>
        <translation>TOML</translation>
    </message>
    <message>
        <source>Show the experiment as TOML with all settings written out</source>
        <translation>将实验显示为 TOML，写出所有设置</translation>
    </message>
    <message>
        <source>Resolved experiment copied to the clipboard.</source>
        <translation>完整的实验设置已复制到剪贴板。</translation>
    </message>
    <message>
        <source>▶ Run</source>
        <translation>▶ 运行</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run with this λ_cov</source>
        <translation>用此 λ_cov 运行</translation>
    </message>
    <message>
        <source>Show a run first: this button repeats it with another λ_cov</source>
        <translation>请先显示一个运行：此按钮以另一个 λ_cov 重复该运行</translation>
    </message>
    <message>
        <source>Queue a sweep…</source>
        <translation>扫描排队…</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
    <message>
        <source>Save the experiment</source>
        <translation>保存实验</translation>
    </message>
    <message>
        <source>Experiments (*.toml)</source>
        <translation>实验 (*.toml)</translation>
    </message>
    <message>
        <source>experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>The default settings</source>
        <translation>默认设置</translation>
    </message>
    <message>
        <source>Preset %1</source>
        <translation>预设 %1</translation>
    </message>
    <message>
        <source>%1 replaced your settings: %2</source>
        <translation>%1 替换了您的设置：%2</translation>
    </message>
    <message>
        <source>⚠ Cannot run yet: %1</source>
        <translation>⚠ 尚不能运行：%1</translation>
    </message>
    <message numerus="yes">
        <source> (and %n more)</source>
        <translation>
            <numerusform> （另有 %n 项）</numerusform>
        </translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>Train on the open file (%1)</source>
        <translation>在打开的文件上训练（%1）</translation>
    </message>
    <message>
        <source>Cannot run yet:
%1</source>
        <translation>尚不能运行：
%1</translation>
    </message>
    <message>
        <source>Train with the settings in the form</source>
        <translation>按表单中的设置训练</translation>
    </message>
    <message>
        <source>Queue one run for each combination of values of λ_cov, the seed or any other setting</source>
        <translation>对 λ_cov、随机种子或任何其他设置的各值的每种组合，将一个运行加入队列</translation>
    </message>
    <message>
        <source>the sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>%1 has its own split and name. Kept from the experiment before: %2</source>
        <translation>%1 有自己的划分和名称。从之前的实验保留：%2</translation>
    </message>
    <message>
        <source>Use defaults</source>
        <translation>使用默认值</translation>
    </message>
    <message>
        <source>Sets all other settings than the file&apos;s to the program&apos;s defaults: %1</source>
        <translation>将文件以外的所有设置设为程序的默认值：%1</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Settings of the paper&apos;s cells, for each model. A preset keeps your name, data file, device and other run settings; Ctrl+Z restores the previous settings.</source>
        <translation>论文各单元格的设置，按模型提供。预设保留您的名称、数据文件、设备和其他运行设置；Ctrl+Z 恢复之前的设置。</translation>
    </message>
    <message>
        <source>None (defaults)</source>
        <translation>无（默认值）</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ExportDialog</name>
    <message>
        <source>Export %1 figures</source>
        <translation>导出 %1 幅图</translation>
    </message>
    <message>
        <source>Export figure</source>
        <translation>导出图</translation>
    </message>
    <message>
        <source>Export “%1”</source>
        <translation>导出“%1”</translation>
    </message>
    <message>
        <source>Figure in the preview</source>
        <translation>预览的图</translation>
    </message>
    <message>
        <source>Figure to preview; all figures are exported</source>
        <translation>要预览的图；所有图都会导出</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Preview of the exported figure</source>
        <translation>导出图的预览</translation>
    </message>
    <message>
        <source>&amp;Copy to clipboard</source>
        <translation>复制到剪贴板(&amp;C)</translation>
    </message>
    <message>
        <source>Copy to clipboard</source>
        <translation>复制到剪贴板</translation>
    </message>
    <message>
        <source>Copies the picture shown in the preview, at full size</source>
        <translation>以原尺寸复制预览中显示的图片</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Writes the selected formats</source>
        <translation>写出所选格式</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Closes this window (Esc)</source>
        <translation>关闭此窗口（Esc）</translation>
    </message>
    <message>
        <source>C&amp;ancel</source>
        <translation>取消(&amp;A)</translation>
    </message>
    <message>
        <source>Format %1</source>
        <translation>格式 %1</translation>
    </message>
    <message>
        <source>Formats</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>Common sizes for journals and slides</source>
        <translation>期刊和幻灯片的常用尺寸</translation>
    </message>
    <message>
        <source>&amp;Size</source>
        <translation>尺寸(&amp;S)</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Width of the figure on paper</source>
        <translation>图在纸上的宽度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Height of the figure on paper; automatic: chosen to fit the plots</source>
        <translation>图在纸上的高度；自动：按各图的需要确定</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>宽度(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Height</source>
        <translation>高度(&amp;H)</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>分辨率</translation>
    </message>
    <message>
        <source>Pixels per inch of the PNG file; journals require 300 to 600</source>
        <translation>PNG 文件每英寸的像素数；期刊要求 300 至 600</translation>
    </message>
    <message>
        <source>&amp;Resolution</source>
        <translation>分辨率(&amp;R)</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>样式</translation>
    </message>
    <message>
        <source>Print: black on white; light and dark: as on screen</source>
        <translation>印刷：白底黑字；浅色和深色：与屏幕显示相同</translation>
    </message>
    <message>
        <source>print</source>
        <translation>印刷</translation>
    </message>
    <message>
        <source>light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>St&amp;yle</source>
        <translation>样式(&amp;Y)</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>调色板</translation>
    </message>
    <message>
        <source>Colours of the series; all palettes except greys are colour-blind safe</source>
        <translation>各序列的颜色；除灰度外，所有调色板都适合色觉障碍者</translation>
    </message>
    <message>
        <source>As on screen</source>
        <translation>与屏幕显示相同</translation>
    </message>
    <message>
        <source>&amp;Palette</source>
        <translation>调色板(&amp;P)</translation>
    </message>
    <message>
        <source>Font family</source>
        <translation>字体系列</translation>
    </message>
    <message>
        <source>Font of all text in the figure</source>
        <translation>图中所有文字的字体</translation>
    </message>
    <message>
        <source>Font size</source>
        <translation>字号</translation>
    </message>
    <message>
        <source>Size of the axis labels; titles are one point larger</source>
        <translation>坐标轴标签的字号；标题大 1 磅</translation>
    </message>
    <message>
        <source>Font si&amp;ze</source>
        <translation>字号(&amp;Z)</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Show the title</source>
        <translation>显示标题</translation>
    </message>
    <message>
        <source>Adds the title above the plots</source>
        <translation>在图的上方添加标题</translation>
    </message>
    <message>
        <source>Title of the figure, also stored in the files&apos; metadata</source>
        <translation>图的标题，也存入文件的元数据</translation>
    </message>
    <message>
        <source>Titles above</source>
        <translation>上方标题</translation>
    </message>
    <message>
        <source>Caption below</source>
        <translation>下方图注</translation>
    </message>
    <message>
        <source>Show the caption</source>
        <translation>显示图注</translation>
    </message>
    <message>
        <source>This figure has no caption</source>
        <translation>此图没有图注</translation>
    </message>
    <message>
        <source>Adds the caption below each figure</source>
        <translation>在每幅图的下方添加图注</translation>
    </message>
    <message>
        <source>Titles of plots and axes</source>
        <translation>图和坐标轴的标题</translation>
    </message>
    <message>
        <source>Edit a cell to change the text in the exported files; clear it to omit the text</source>
        <translation>编辑单元格可更改导出文件中的文字；清空则省略该文字</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>File name</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>Destination folder; each file is named after its figure</source>
        <translation>目标文件夹；每个文件以其图命名</translation>
    </message>
    <message>
        <source>Folder and file name, without suffix</source>
        <translation>文件夹和文件名，不含后缀</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Choose a folder and file name</source>
        <translation>选择文件夹和文件名</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>导出到</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>图</translation>
    </message>
    <message>
        <source>x axis</source>
        <translation>x 轴</translation>
    </message>
    <message>
        <source>y axis</source>
        <translation>y 轴</translation>
    </message>
    <message>
        <source>%1 × %2 mm</source>
        <translation>%1 × %2 mm</translation>
    </message>
    <message>
        <source>This figure has numbers only: select CSV.</source>
        <translation>此图只有数值：请选择 CSV。</translation>
    </message>
    <message>
        <source>Picture copied to the clipboard.</source>
        <translation>图片已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Picture copied</source>
        <translation>图片已复制</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> 等，另有 %1 个</translation>
    </message>
    <message>
        <source>Replace files?</source>
        <translation>替换文件？</translation>
    </message>
    <message>
        <source>These files already exist: %1. Replace them?</source>
        <translation>以下文件已存在：%1。要替换吗？</translation>
    </message>
    <message>
        <source>%1 figures were written, then: %2</source>
        <translation>已写出 %1 幅图，随后：%2</translation>
    </message>
    <message>
        <source>Cancelled; %1 was not written.</source>
        <translation>已取消；%1 未写出。</translation>
    </message>
    <message>
        <source>Wrote %1 figures to %2</source>
        <translation>已将 %1 幅图写到 %2</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写出 %1</translation>
    </message>
    <message>
        <source>Fo&amp;nt</source>
        <translation>字体(&amp;N)</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
</context>
<context>
    <name>casp::widgets::FigureView</name>
    <message>
        <source>Figure</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Plus and minus zoom (with Ctrl the y axis), arrow keys pan, Home shows everything, Page Up and Page Down switch to another plot. The wheel zooms around the pointer, a click selects the mark under it.</source>
        <translation>加号和减号缩放（加 Ctrl 缩放 y 轴），方向键平移，Home 显示全部，Page Up 和 Page Down 切换到另一幅图。滚轮以指针为中心缩放，点击可选择其下的标记。</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>number  %1</source>
        <translation>编号  %1</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
</context>
<context>
    <name>casp::widgets::FileRunLibrary</name>
    <message>
        <source>Connecting to %1…</source>
        <translation>正在连接 %1…</translation>
    </message>
    <message>
        <source>There are no runs in this folder on %1 yet.</source>
        <translation>%1 上的此文件夹中还没有运行。</translation>
    </message>
    <message>
        <source>Reading the runs of this folder…</source>
        <translation>正在读取此文件夹中的运行…</translation>
    </message>
    <message>
        <source>Not connected to %1.</source>
        <translation>未连接到 %1。</translation>
    </message>
    <message>
        <source>These runs are on %1. Move or remove them there.</source>
        <translation>这些运行在 %1 上。请在那里移动或移除它们。</translation>
    </message>
    <message>
        <source>%1 no longer exists. Its runs are listed again when the folder is back.</source>
        <translation>%1 不再存在。文件夹恢复后，其运行会重新列出。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ForecastAhead</name>
    <message>
        <source>Run that forecasts</source>
        <translation>进行预测的运行</translation>
    </message>
    <message>
        <source>Continued file</source>
        <translation>接续的文件</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Computes the forecast of this run for this file</source>
        <translation>计算该运行对该文件的预测</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stops computing; a forecast without intervals stays</source>
        <translation>停止计算；不含区间的预测会保留</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Saves the forecast of all channels as CSV, in the form of the file</source>
        <translation>将所有通道的预测保存为 CSV，格式与该文件相同</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Hides this view</source>
        <translation>隐藏此视图</translation>
    </message>
    <message>
        <source>Coverage of the intervals</source>
        <translation>区间的覆盖率</translation>
    </message>
    <message>
        <source>Forecasts the %1 rows after the last one of %2 with %3</source>
        <translation>用 %3 预测 %2 最后一行之后的 %1 行</translation>
    </message>
    <message>
        <source>Data set of the run</source>
        <translation>运行的数据集</translation>
    </message>
    <message>
        <source>%1 (of the run)</source>
        <translation>%1（该运行的）</translation>
    </message>
    <message>
        <source>Other file…</source>
        <translation>其他文件…</translation>
    </message>
    <message>
        <source>The settings of %1 cannot be read, so its data set is not known: drop a file here.</source>
        <translation>%1 的设置无法读取，因此其数据集未知：请将文件拖放到此处。</translation>
    </message>
    <message>
        <source>Forecast ahead of a file</source>
        <translation>向前预测文件</translation>
    </message>
    <message>
        <source>CSV files (*.csv)</source>
        <translation>CSV 文件 (*.csv)</translation>
    </message>
    <message>
        <source>%1 is written.</source>
        <translation>%1 已写入。</translation>
    </message>
    <message>
        <source>Computing the intervals: %1.</source>
        <translation>正在计算区间：%1。</translation>
    </message>
    <message>
        <source>Computing the forecast: %1.</source>
        <translation>正在计算预测：%1。</translation>
    </message>
    <message>
        <source>Without intervals. %1</source>
        <translation>没有区间。%1</translation>
    </message>
    <message>
        <source>⚠ %1</source>
        <translation>⚠ %1</translation>
    </message>
    <message>
        <source>Run that forecasts, one of the shown finished ones: %1</source>
        <translation>进行预测的运行，从所显示的已完成运行中选择：%1</translation>
    </message>
    <message>
        <source>File that is continued after its last row: %1</source>
        <translation>在最后一行之后接续的文件：%1</translation>
    </message>
    <message>
        <source>
Drop another file here to continue it instead.</source>
        <translation>
将另一个文件拖放到此处则改为接续该文件。</translation>
    </message>
    <message>
        <source>
To open the file as a data set, drop it on another page.</source>
        <translation>
要将文件作为数据集打开，请拖放到其他页。</translation>
    </message>
    <message>
        <source>Computing the forecast.</source>
        <translation>正在计算预测。</translation>
    </message>
    <message>
        <source>Press Compute above to continue %1 with %2.</source>
        <translation>请按上方的“计算”，用 %2 接续 %1。</translation>
    </message>
    <message>
        <source>Save the forecast of %1</source>
        <translation>保存 %1 的预测</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ForecastsPage</name>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Probe windows (live)</source>
        <translation>探针窗口（实时）</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试集</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证集</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练集</translation>
    </message>
    <message>
        <source>Windows</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Source of the forecasts: a few validation windows, probed at and between snapshots, or all windows of a split at the best checkpoint (run.store_forecasts)</source>
        <translation>预测的来源：少量验证窗口，在各快照时及其间实时探测；或某个划分的所有窗口，取自最佳检查点（run.store_forecasts）</translation>
    </message>
    <message>
        <source>&amp;Windows</source>
        <translation>窗口(&amp;W)</translation>
    </message>
    <message>
        <source>Previous window ([)</source>
        <translation>上一个窗口（[）</translation>
    </message>
    <message>
        <source>Window number</source>
        <translation>窗口编号</translation>
    </message>
    <message>
        <source>Window number within its split, counted from 0</source>
        <translation>窗口在其划分中的编号，从 0 开始</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Steps through the windows of the split in file order</source>
        <translation>按文件顺序逐个浏览该划分的窗口</translation>
    </message>
    <message>
        <source>Next window (])</source>
        <translation>下一个窗口（]）</translation>
    </message>
    <message>
        <source>Worst</source>
        <translation>最差</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>Selects a random window</source>
        <translation>随机选择一个窗口</translation>
    </message>
    <message>
        <source>C&amp;hannels</source>
        <translation>通道(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Units</source>
        <translation>单位(&amp;U)</translation>
    </message>
    <message>
        <source>Scaled</source>
        <translation>标准化</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>原始</translation>
    </message>
    <message>
        <source>Units of values</source>
        <translation>值的单位</translation>
    </message>
    <message>
        <source>Standard deviations of the training split, or the units of the file</source>
        <translation>以训练集的标准差为单位，或用文件的单位</translation>
    </message>
    <message>
        <source>&amp;Look-back</source>
        <translation>回看窗口(&amp;L)</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>As long as H</source>
        <translation>与 H 等长</translation>
    </message>
    <message>
        <source>2 H</source>
        <translation>2 H</translation>
    </message>
    <message>
        <source>Shown look-back</source>
        <translation>显示的回看窗口</translation>
    </message>
    <message>
        <source>How much of the look-back (length L) is plotted before the forecast</source>
        <translation>预测之前绘制多少回看窗口（长度 L）</translation>
    </message>
    <message>
        <source>E&amp;rror</source>
        <translation>误差(&amp;R)</translation>
    </message>
    <message>
        <source>Error measure</source>
        <translation>误差度量</translation>
    </message>
    <message>
        <source>Measure shown in the error plots: mean squared or mean absolute error</source>
        <translation>误差图中显示的度量：均方误差或平均绝对误差</translation>
    </message>
    <message>
        <source>&amp;Error plots</source>
        <translation>误差图(&amp;E)</translation>
    </message>
    <message>
        <source>Plot forecast − truth beside each window</source>
        <translation>在每个窗口旁绘制预测 − 真实值</translation>
    </message>
    <message>
        <source>&amp;Persistence</source>
        <translation>持续性预测(&amp;P)</translation>
    </message>
    <message>
        <source>Plot the persistence forecast, which repeats the last value of the look-back</source>
        <translation>绘制持续性预测，它重复回看窗口的最后一个值</translation>
    </message>
    <message>
        <source>Notes on the forecasts</source>
        <translation>关于预测的说明</translation>
    </message>
    <message>
        <source>Plotted windows</source>
        <translation>绘制的窗口</translation>
    </message>
    <message>
        <source>Forecasts</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Error by forecast step</source>
        <translation>各预测步误差</translation>
    </message>
    <message>
        <source>Error by channel</source>
        <translation>各通道误差</translation>
    </message>
    <message>
        <source>Window errors</source>
        <translation>窗口误差</translation>
    </message>
    <message>
        <source>Error by difficulty</source>
        <translation>各难度误差</translation>
    </message>
    <message>
        <source>selected windows</source>
        <translation>选中的窗口</translation>
    </message>
    <message>
        <source>windows that retrieve anchor %1</source>
        <translation>检索锚点 %1 的窗口</translation>
    </message>
    <message>
        <source>windows that retrieve one of %1 anchors</source>
        <translation>检索 %1 个锚点之一的窗口</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 个%2</translation>
    </message>
    <message>
        <source>%1 to %2 of %3 %4 · [ and ] show others</source>
        <translation>第 %1 至 %2 个，共 %3 个%4 · [ 和 ] 切换</translation>
    </message>
    <message>
        <source>The window errors are not available yet</source>
        <translation>窗口误差尚不可用</translation>
    </message>
    <message>
        <source>Forecast ahead</source>
        <translation>向前预测</translation>
    </message>
    <message>
        <source>%1. Drop a file on this page to continue it instead.</source>
        <translation>%1。将文件拖放到此页则改为接续该文件。</translation>
    </message>
    <message>
        <source>Forecasts the rows after the last one of a file. Show a finished run first; imported runs have no weights, and collections of series no last row.</source>
        <translation>预测文件最后一行之后的各行。请先显示一个已完成的运行；导入的运行没有权重，序列集合没有最后一行。</translation>
    </message>
    <message>
        <source>

On other pages, the file is opened as a data set.</source>
        <translation>

拖放到其他页时，文件作为数据集打开。</translation>
    </message>
    <message>
        <source>Errors of the series</source>
        <translation>各序列的误差</translation>
    </message>
    <message>
        <source>Worst and best series</source>
        <translation>最差和最佳序列</translation>
    </message>
    <message>
        <source>Not in the table of series, because their collections differ from that of %1: %2.</source>
        <translation>不在序列表中，因为其集合与 %1 的不同：%2。</translation>
    </message>
    <message>
        <source>its windows are those of other series, from %1 on. Compute the embeddings of the same windows for both.</source>
        <translation>其窗口属于其他序列，从 %1 开始。请为两者计算相同窗口的嵌入。</translation>
    </message>
    <message>
        <source>window %1</source>
        <translation>窗口 %1</translation>
    </message>
    <message>
        <source>its windows are from the %1 split, the other&apos;s from the %2 split. Compute the embeddings of the same split for both.</source>
        <translation>其窗口属于 %1 划分，另一个的窗口属于 %2 划分。请为两者计算同一划分的嵌入。</translation>
    </message>
    <message>
        <source>%1 seeds</source>
        <translation>%1 个种子</translation>
    </message>
    <message>
        <source>Progress of sorting windows</source>
        <translation>窗口分层的进度</translation>
    </message>
    <message>
        <source>Residual</source>
        <translation>残差</translation>
    </message>
    <message>
        <source>Trend change, channel average</source>
        <translation>趋势变化，通道平均</translation>
    </message>
    <message>
        <source>Trend change, any channel</source>
        <translation>趋势变化，任一通道</translation>
    </message>
    <message>
        <source>Trend strength</source>
        <translation>趋势强度</translation>
    </message>
    <message>
        <source>Low-frequency fraction</source>
        <translation>低频占比</translation>
    </message>
    <message>
        <source>Strata of</source>
        <translation>分层依据</translation>
    </message>
    <message>
        <source>Label by which windows are divided. It is computed from the look-back and never sees the target.</source>
        <translation>划分窗口所依据的标签。它由回看窗口算出，从不使用目标值。</translation>
    </message>
    <message>
        <source>Penalty c = %1</source>
        <translation>惩罚 c = %1</translation>
    </message>
    <message>
        <source>Penalty of trend changes</source>
        <translation>趋势变化的惩罚</translation>
    </message>
    <message>
        <source>A change point costs c · ln L in units of the training variance (L: look-back). The number of change points depends on c: compare all values.</source>
        <translation>一个变点的代价为 c · ln L，以训练集方差为单位（L：回看窗口）。变点个数取决于 c：请比较所有取值。</translation>
    </message>
    <message>
        <source>Change in the outer strata</source>
        <translation>最外两层的变化</translation>
    </message>
    <message>
        <source>Error by %1</source>
        <translation>误差，按 %1</translation>
    </message>
    <message>
        <source>Sort windows</source>
        <translation>窗口分层</translation>
    </message>
    <message>
        <source>Sort windows by %1</source>
        <translation>按 %1 为窗口分层</translation>
    </message>
    <message>
        <source>Sorts the windows of the remaining runs</source>
        <translation>为其余运行的窗口分层</translation>
    </message>
    <message>
        <source>group (windows without and with a trend change)</source>
        <translation>分组（无趋势变化和有趋势变化的窗口）</translation>
    </message>
    <message>
        <source>decile of difficulty (mean absolute residual of the look-back)</source>
        <translation>难度十分位（回看窗口残差的平均绝对值）</translation>
    </message>
    <message>
        <source>decile of %1</source>
        <translation>%1 的十分位</translation>
    </message>
    <message>
        <source>%1 is not compared with %2 by %3: %4</source>
        <translation>%1 与 %2 未按 %3 比较：%4</translation>
    </message>
    <message>
        <source>%1 is not shown by %2 yet. Press Sort windows.</source>
        <translation>%1 尚未按 %2 显示。请按“窗口分层”。</translation>
    </message>
    <message>
        <source> Click a group to select its windows.</source>
        <translation> 点击一组可选择其窗口。</translation>
    </message>
    <message>
        <source> Click a decile to select its windows.</source>
        <translation> 点击一个十分位可选择其窗口。</translation>
    </message>
    <message>
        <source>Sorting the windows by %1.</source>
        <translation>正在按 %1 为窗口分层。</translation>
    </message>
    <message>
        <source>Computing the embeddings; the windows are sorted next.</source>
        <translation>正在计算嵌入；随后为窗口分层。</translation>
    </message>
    <message>
        <source>Error by %1 appears here. Press Sort windows above: for models without embeddings this needs only stored test forecasts and the data file.</source>
        <translation>此处显示按 %1 的误差。请按上方的“窗口分层”：对没有嵌入的模型，只需存储的测试预测和数据文件。</translation>
    </message>
    <message>
        <source>The stored embeddings of these runs lack the look-back residuals by which windows are sorted. Press Compute embeddings on the Embeddings page to see error and anchor usage by %1 here.</source>
        <translation>这些运行所存储的嵌入缺少窗口分层所用的回看窗口残差。请在“嵌入”页按“计算嵌入”，以在此查看按 %1 的误差和锚点使用次数。</translation>
    </message>
    <message>
        <source>Error and anchor usage by %1 appear here, with the difference between two runs in each. Press Compute embeddings on the Embeddings or Anchors page first; then click one to select its windows.</source>
        <translation>此处显示按 %1 的误差和锚点使用次数，以及两个运行在每一层的差异。请先在“嵌入”页或“锚点”页按“计算嵌入”；然后点击一层可选择其窗口。</translation>
    </message>
    <message>
        <source>Error and anchor usage by %1 appear here, with the difference between two runs in each. Show runs from the list on the left (Space).</source>
        <translation>此处显示按 %1 的误差和锚点使用次数，以及两个运行在每一层的差异。请从左侧列表中显示运行（Space）。</translation>
    </message>
    <message>
        <source>%1 (queued)</source>
        <translation>%1（排队中）</translation>
    </message>
    <message>
        <source>%1 (running)</source>
        <translation>%1（运行中）</translation>
    </message>
    <message>
        <source>Omitted, because they have no validation forecasts in this session: %1.%2</source>
        <translation>已省略，因为本次会话中没有它们的验证预测：%1。%2</translation>
    </message>
    <message>
        <source> Set “Windows” to “Test” to see their stored forecasts.</source>
        <translation> 将“窗口”设为“测试集”可查看其存储的预测。</translation>
    </message>
    <message>
        <source>Omitted, because they have no stored forecasts of %1 windows: %2.</source>
        <translation>已省略，因为没有存储 %1 窗口的预测：%2。</translation>
    </message>
    <message>
        <source>Omitted, because they lack the plotted windows: %1. Press [ or ] for other windows.</source>
        <translation>已省略，因为缺少所绘制的窗口：%1。按 [ 或 ] 查看其他窗口。</translation>
    </message>
    <message>
        <source>None of the %1 selected %2 windows is shown here.</source>
        <translation>选中的 %1 个 %2 窗口均未在此显示。</translation>
    </message>
    <message>
        <source>None of the shown runs has these windows. Press [ or ] for other windows, or Esc to clear the selection.</source>
        <translation>所显示的运行都没有这些窗口。按 [ 或 ] 查看其他窗口，或按 Esc 清除选择。</translation>
    </message>
    <message>
        <source>For runs started in this session, forecasts of the probe windows appear here from the start of training. For other runs, forecasts of the test windows are available after the final evaluation.</source>
        <translation>对本次会话中启动的运行，此处从训练开始起显示探针窗口的预测。对其他运行，测试窗口的预测在最终评估后可用。</translation>
    </message>
    <message>
        <source>These runs have no stored forecasts of the %1 split (run.store_forecasts), or are not evaluated yet.</source>
        <translation>这些运行没有存储 %1 划分的预测（run.store_forecasts），或尚未评估。</translation>
    </message>
    <message>
        <source>In separate plots, because their true values differ from those of %1: %2</source>
        <translation>在单独的图中，因为其真实值与 %1 的不同：%2</translation>
    </message>
    <message>
        <source>Look-backs omitted: %1</source>
        <translation>已省略回看窗口：%1</translation>
    </message>
    <message>
        <source>Selects the window with the highest MSE over the plotted channels in the highlighted run, else the first plotted one</source>
        <translation>选中高亮运行（否则为第一个绘出的运行）中所绘通道 MSE 最高的窗口</translation>
    </message>
    <message>
        <source>Selects the window with the median MSE over the plotted channels in the highlighted run, else the first plotted one</source>
        <translation>选中高亮运行（否则为第一个绘出的运行）中所绘通道 MSE 为中位数的窗口</translation>
    </message>
    <message>
        <source>Selects the window with the lowest MSE over the plotted channels in the highlighted run, else the first plotted one</source>
        <translation>选中高亮运行（否则为第一个绘出的运行）中所绘通道 MSE 最低的窗口</translation>
    </message>
    <message>
        <source>highest MSE of %1</source>
        <translation>%1 的最高 MSE</translation>
    </message>
    <message>
        <source>median MSE of %1</source>
        <translation>%1 的中位 MSE</translation>
    </message>
    <message>
        <source>lowest MSE of %1</source>
        <translation>%1 的最低 MSE</translation>
    </message>
    <message>
        <source>Normalised residual</source>
        <translation>归一化残差</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ForkPopover</name>
    <message>
        <source>Continue with another λ_cov</source>
        <translation>用另一个 λ_cov 继续</translation>
    </message>
    <message>
        <source>Continue from this checkpoint with another λ_cov</source>
        <translation>从此检查点用另一个 λ_cov 继续</translation>
    </message>
    <message>
        <source>Maximum number of epochs</source>
        <translation>最大轮次数</translation>
    </message>
    <message>
        <source>Name of the new run</source>
        <translation>新运行的名称</translation>
    </message>
    <message>
        <source>Name of the new run and of its folder, next to the parent&apos;s</source>
        <translation>新运行及其文件夹的名称，与父运行并列</translation>
    </message>
    <message>
        <source>Run the fork</source>
        <translation>运行分支</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close without starting a run (Esc)</source>
        <translation>关闭，不启动运行（Esc）</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>after step %1 (epoch %2)</source>
        <translation>第 %1 步（第 %2 轮次）之后</translation>
    </message>
    <message>
        <source>at an unknown step</source>
        <translation>步数未知</translation>
    </message>
    <message>
        <source>From %1, %2, λ_cov %3</source>
        <translation>从 %1 开始，%2，λ_cov %3</translation>
    </message>
    <message>
        <source>From the last weights of %1, %2, λ_cov %3</source>
        <translation>从 %1 的最后权重开始，%2，λ_cov %3</translation>
    </message>
    <message>
        <source>From the best weights of %1, %2, λ_cov %3</source>
        <translation>从 %1 的最佳权重开始，%2，λ_cov %3</translation>
    </message>
    <message>
        <source>Training continues with the parent&apos;s weights and optimiser state; the parent&apos;s epochs count towards the maximum.</source>
        <translation>训练以父运行的权重和优化器状态继续；父运行的轮次计入上限。</translation>
    </message>
    <message>
        <source>The parent is finished: the fork starts from these weights with a fresh optimiser and trains for up to this many further epochs. </source>
        <translation>父运行已完成：分支从这些权重出发，使用新的优化器，最多再训练这么多轮次。 </translation>
    </message>
    <message>
        <source>Step and epoch counts continue from the parent&apos;s.</source>
        <translation>步数和轮次接着父运行计数。</translation>
    </message>
    <message>
        <source>Step and epoch counts start from zero.</source>
        <translation>步数和轮次从零计数。</translation>
    </message>
    <message>
        <source>The parent is already in epoch %1; expected at least this many epochs</source>
        <translation>父运行已进行到第 %1 轮次；最大轮次数至少应为此数</translation>
    </message>
    <message>
        <source>The name %1; expected %2</source>
        <translation>名称 %1；应为 %2</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>为空</translation>
    </message>
    <message>
        <source>No run is selected to continue from</source>
        <translation>未选择要继续的运行</translation>
    </message>
    <message>
        <source>Start or queue the fork; its curves continue the parent&apos;s</source>
        <translation>启动分支或将其加入队列；其曲线接续父运行的曲线</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ImportForm</name>
    <message>
        <source>&amp;Import</source>
        <translation>导入(&amp;I)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Chooses a folder with pred.npy and true.npy</source>
        <translation>选择包含 pred.npy 和 true.npy 的文件夹</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Chooses an .npz or CSV file of forecasts</source>
        <translation>选择预测的 .npz 或 CSV 文件</translation>
    </message>
    <message>
        <source>Chooses the data file that was forecast</source>
        <translation>选择被预测的数据文件</translation>
    </message>
    <message>
        <source>Forecasts</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Forecasts (*.npy *.npz *.csv)</source>
        <translation>预测 (*.npy *.npz *.csv)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>&amp;Forecasts</source>
        <translation>预测(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Data set</source>
        <translation>数据集(&amp;D)</translation>
    </message>
    <message>
        <source>The data that were forecast. If the experiment has the same file, its split, look-back and format are used.</source>
        <translation>被预测的数据。若实验使用同一文件，则采用其划分、回看窗口和格式。</translation>
    </message>
    <message>
        <source>Seed of the other code&apos;s run: paired tests pair it with our run of this seed</source>
        <translation>其他代码运行所用的随机种子：配对检验将它与我们使用该种子的运行配对</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Audits the forecasts and adds them to the list of runs</source>
        <translation>审核预测并将其加入运行列表</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>&amp;Seed</source>
        <translation>随机种子(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>Name of the forecasts in lists, legends and tables</source>
        <translation>预测在列表、图例和表格中的名称</translation>
    </message>
    <message>
        <source>Progress of the import</source>
        <translation>导入进度</translation>
    </message>
    <message>
        <source>Stops the import; an earlier one is kept</source>
        <translation>停止导入；保留之前的导入</translation>
    </message>
    <message>
        <source>Problem of the import</source>
        <translation>导入的问题</translation>
    </message>
    <message>
        <source>Folder with pred.npy and true.npy</source>
        <translation>包含 pred.npy 和 true.npy 的文件夹</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Choose the forecasts first.</source>
        <translation>请先选择预测。</translation>
    </message>
    <message>
        <source>Choose the data set that was forecast.</source>
        <translation>请选择被预测的数据集。</translation>
    </message>
    <message>
        <source>Choose a folder of runs first (File menu).</source>
        <translation>请先选择运行文件夹（“文件”菜单）。</translation>
    </message>
    <message>
        <source>The folder of runs is on %1. Import there (caspstudio --import), or open a folder on this machine first (Ctrl+Shift+O).</source>
        <translation>运行文件夹在 %1 上。请在那里导入（caspstudio --import），或先打开本机上的文件夹（Ctrl+Shift+O）。</translation>
    </message>
    <message>
        <source>A results folder (pred.npy, true.npy), an .npz file, or a CSV file: with the columns window, step, channel, prediction, or as Export writes it. A folder or .npy file can also be dropped on the window.</source>
        <translation>结果文件夹（pred.npy、true.npy）、.npz 文件或 CSV 文件：含 window、step、channel、prediction 列，或由“导出”写出。也可以将文件夹或 .npy 文件拖放到主窗口上。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::LambdaCovEdit</name>
    <message>
        <source>λ_cov, slider</source>
        <translation>λ_cov，滑块</translation>
    </message>
    <message>
        <source>&lt;p&gt;&lt;b&gt;λ_cov: weight of the coverage loss&lt;/b&gt;&lt;/p&gt;&lt;p&gt;0 still tracks and logs the coverage loss. The slider ranges from 0.001 to 10; the field accepts any number ≥ 0.&lt;/p&gt;</source>
        <translation>&lt;p&gt;&lt;b&gt;λ_cov：覆盖损失的权重&lt;/b&gt;&lt;/p&gt;&lt;p&gt;为 0 时仍会跟踪并记录覆盖损失。滑块范围为 0.001 至 10；输入框接受任何 ≥ 0 的数。&lt;/p&gt;</translation>
    </message>
</context>
<context>
    <name>casp::widgets::LayoutBar</name>
    <message>
        <source>PCA</source>
        <translation>PCA</translation>
    </message>
    <message>
        <source>t-SNE</source>
        <translation>t-SNE</translation>
    </message>
    <message>
        <source>Layout of the points</source>
        <translation>点的布局</translation>
    </message>
    <message>
        <source>Exact principal components, or t-SNE, which preserves neighbourhoods but not distances between clusters</source>
        <translation>精确的主成分，或 t-SNE；后者保持邻域关系，但不保持簇间距离</translation>
    </message>
    <message>
        <source>La&amp;yout</source>
        <translation>布局(&amp;Y)</translation>
    </message>
    <message>
        <source>One &amp;layout for all runs</source>
        <translation>所有运行共用布局(&amp;L)</translation>
    </message>
    <message>
        <source>One layout for all runs</source>
        <translation>所有运行共用布局</translation>
    </message>
    <message>
        <source>Joint layout of all shown runs, so that positions are comparable between pictures. Unchecked: a separate layout for each run, at the same scale</source>
        <translation>所有显示的运行联合布局，各图中的位置可以比较。不勾选：每个运行单独布局，比例相同</translation>
    </message>
    <message>
        <source>Plane</source>
        <translation>平面</translation>
    </message>
    <message>
        <source>t-SNE dimensions</source>
        <translation>t-SNE 维数</translation>
    </message>
    <message>
        <source>A t-SNE in two or three dimensions</source>
        <translation>二维或三维的 t-SNE</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>Effective number of neighbours of each point; usually 5 to 50</source>
        <translation>每个点的有效近邻数；通常为 5 至 50</translation>
    </message>
    <message>
        <source>per&amp;plexity</source>
        <translation>困惑度(&amp;P)</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>迭代次数</translation>
    </message>
    <message>
        <source>Gradient-descent steps; early exaggeration lasts for the first 250, or for the first third of fewer than 750</source>
        <translation>梯度下降的步数；早期夸大持续前 250 步，总步数少于 750 时持续前三分之一</translation>
    </message>
    <message>
        <source>&amp;iterations</source>
        <translation>迭代(&amp;I)</translation>
    </message>
    <message>
        <source>Early exaggeration</source>
        <translation>早期夸大</translation>
    </message>
    <message>
        <source>Factor on the attractive forces in the first iterations, which pulls clusters together early; usually 12, 1 for none</source>
        <translation>前若干次迭代中吸引力的倍数，使簇尽早聚拢；通常为 12，1 表示不夸大</translation>
    </message>
    <message>
        <source>exa&amp;ggeration</source>
        <translation>夸大(&amp;G)</translation>
    </message>
    <message>
        <source>Seed of the t-SNE</source>
        <translation>t-SNE 的随机种子</translation>
    </message>
    <message>
        <source>The same seed gives the same picture on the same machine</source>
        <translation>在同一台机器上，同一种子得到同一幅图</translation>
    </message>
    <message>
        <source>see&amp;d</source>
        <translation>种子(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Start t-SNE</source>
        <translation>开始 t-SNE(&amp;S)</translation>
    </message>
    <message>
        <source>Computes a new layout of all points; the picture follows the optimisation</source>
        <translation>为所有点计算新的布局；图随优化更新</translation>
    </message>
    <message>
        <source>Pa&amp;use</source>
        <translation>暂停(&amp;U)</translation>
    </message>
    <message>
        <source>Pauses the t-SNE, or resumes it</source>
        <translation>暂停或继续 t-SNE</translation>
    </message>
    <message>
        <source>Stop and &amp;keep</source>
        <translation>停止并保留(&amp;K)</translation>
    </message>
    <message>
        <source>Stops the t-SNE and keeps the current layout</source>
        <translation>停止 t-SNE，保留当前布局</translation>
    </message>
    <message>
        <source>Store layout</source>
        <translation>存储布局</translation>
    </message>
    <message>
        <source>Stores the layout in the runs&apos; arrays.h5, next to their embeddings; replaces a t-SNE stored for this split</source>
        <translation>将布局存入运行的 arrays.h5，与其嵌入并列；替换为该划分存储的 t-SNE</translation>
    </message>
    <message>
        <source>State of the t-SNE</source>
        <translation>t-SNE 的状态</translation>
    </message>
    <message>
        <source>Contin&amp;ue</source>
        <translation>继续(&amp;U)</translation>
    </message>
    <message>
        <source> %1 %</source>
        <translation> %1 %</translation>
    </message>
    <message>
        <source>for a different set of points</source>
        <translation>属于另一组点</translation>
    </message>
    <message>
        <source>iteration %1 (%2, plus more for each new snapshot)</source>
        <translation>迭代 %1（%2 次，每个新快照再追加）</translation>
    </message>
    <message>
        <source>iteration %1 of %2</source>
        <translation>迭代 %1/%2</translation>
    </message>
    <message>
        <source>KL %1</source>
        <translation>KL %1</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 个点</translation>
    </message>
</context>
<context>
    <name>casp::widgets::LayoutWork</name>
    <message>
        <source>principal components</source>
        <translation>主成分</translation>
    </message>
    <message>
        <source>finding neighbours</source>
        <translation>查找近邻</translation>
    </message>
</context>
<context>
    <name>casp::widgets::LogPage</name>
    <message>
        <source>Run of the log</source>
        <translation>日志所属的运行</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Filter lines</source>
        <translation>筛选行</translation>
    </message>
    <message>
        <source>Words that the shown lines contain</source>
        <translation>所显示的行包含的词语</translation>
    </message>
    <message>
        <source>The run&apos;s log.txt; new lines follow while the end is in view</source>
        <translation>运行的 log.txt；视图停在末尾时会跟随新行</translation>
    </message>
    <message>
        <source>log.txt is being copied.</source>
        <translation>正在复制 log.txt。</translation>
    </message>
    <message>
        <source>Highlight one run in the list to see its log.</source>
        <translation>在列表中高亮一个运行，即可查看其日志。</translation>
    </message>
    <message>
        <source>%1 has no log yet.</source>
        <translation>%1 还没有日志。</translation>
    </message>
    <message>
        <source>%1: the end of its log of %2</source>
        <translation>%1：其日志（%2）的末尾</translation>
    </message>
</context>
<context>
    <name>casp::widgets::MessageDrawer</name>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>C&amp;lear</source>
        <translation>清空(&amp;L)</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Messages. Click a run, or press Enter, to show it</source>
        <translation>消息。点击运行或按 Enter 可显示它</translation>
    </message>
    <message>
        <source>Full text of the selected message</source>
        <translation>选中消息的全文</translation>
    </message>
    <message>
        <source>Filter messages</source>
        <translation>筛选消息</translation>
    </message>
    <message>
        <source>All messages</source>
        <translation>所有消息</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Message level</source>
        <translation>消息级别</translation>
    </message>
    <message>
        <source>Lowest level of listed messages</source>
        <translation>所列消息的最低级别</translation>
    </message>
    <message>
        <source>Copy messages</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Copies the selected messages, or all listed ones if none are selected (Ctrl+C)</source>
        <translation>复制选中的消息；未选择时复制所有列出的消息（Ctrl+C）</translation>
    </message>
    <message>
        <source>Clear messages</source>
        <translation>清空消息</translation>
    </message>
    <message>
        <source>Clears this list; each run keeps its log.txt</source>
        <translation>清空此列表；每个运行保留其 log.txt</translation>
    </message>
    <message>
        <source>No message matches the filter.</source>
        <translation>没有消息符合筛选条件。</translation>
    </message>
    <message>
        <source>No messages.

Data warnings, and errors with advice, are listed here.</source>
        <translation>没有消息。

数据警告以及附有建议的错误列在此处。</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Words to find in the message or its run</source>
        <translation>在消息或其运行中查找的词</translation>
    </message>
</context>
<context>
    <name>casp::widgets::OptionEditor</name>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Browse for %1</source>
        <translation>浏览选择 %1</translation>
    </message>
    <message>
        <source>Choose with the file dialog</source>
        <translation>用文件对话框选择</translation>
    </message>
    <message>
        <source>“%1” is a relative path; expected an absolute path, starting with /</source>
        <translation>“%1”是相对路径；应为以 / 开头的绝对路径</translation>
    </message>
    <message>
        <source>Choose %1</source>
        <translation>选择%1</translation>
    </message>
    <message>
        <source>row counts</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>fractions</source>
        <translation>比例</translation>
    </message>
    <message>
        <source>dates</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>%1, or e.g. %2</source>
        <translation>%1，或例如 %2</translation>
    </message>
    <message>
        <source>Add: name = value</source>
        <translation>添加：名称 = 值</translation>
    </message>
</context>
<context>
    <name>casp::widgets::OptionForm</name>
    <message>
        <source>Finds settings by key, paper symbol or help text (Ctrl+F)</source>
        <translation>根据设置键、论文符号或帮助文字查找设置（Ctrl+F）</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>Show only settings that differ from the preset, file or defaults</source>
        <translation>仅显示与预设、文件或默认值不同的设置</translation>
    </message>
    <message>
        <source>Show only changed settings</source>
        <translation>仅显示已更改的设置</translation>
    </message>
    <message>
        <source>%1 · %2 changed</source>
        <translation>%1 · 已更改 %2 项</translation>
    </message>
    <message>
        <source>Group %1</source>
        <translation>组 %1</translation>
    </message>
    <message>
        <source>Collapse or expand the settings of %1</source>
        <translation>折叠或展开 %1 的设置</translation>
    </message>
    <message>
        <source>No changed setting matches “%1”. Turn “Changed” off to search all settings.</source>
        <translation>没有已更改的设置符合“%1”。关闭“已更改”可搜索所有设置。</translation>
    </message>
    <message>
        <source>No setting differs from the preset, file or defaults.</source>
        <translation>没有设置与预设、文件或默认值不同。</translation>
    </message>
    <message>
        <source>No setting matches “%1”. Search for part of a key, a symbol of the paper, or a word of the description.</source>
        <translation>没有设置符合“%1”。请搜索设置键的一部分、论文中的符号或说明中的词。</translation>
    </message>
    <message>
        <source>Search all settings: λ_cov, batch, K …</source>
        <translation>搜索所有设置：λ_cov、batch、K …</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>所有设置</translation>
    </message>
    <message>
        <source>Show the settings that are rarely changed as well, or hide them again. The search finds them in any case.</source>
        <translation>同时显示很少更改的设置，或再次隐藏。搜索总能找到它们。</translation>
    </message>
    <message>
        <source>▴ Fewer settings</source>
        <translation>▴ 较少设置</translation>
    </message>
    <message>
        <source>▾ All settings (%1 more)</source>
        <translation>▾ 所有设置（另有 %1 项）</translation>
    </message>
    <message>
        <source>Problem of the value</source>
        <translation>值的问题</translation>
    </message>
</context>
<context>
    <name>casp::widgets::OptionNumberEdit</name>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
</context>
<context>
    <name>casp::widgets::OptionRow</name>
    <message>
        <source>Changed. Reset to %1, the value from the preset, file or defaults</source>
        <translation>已更改。重置为 %1，即预设、文件或默认值中的值</translation>
    </message>
    <message>
        <source>Reset %1 to %2</source>
        <translation>将 %1 重置为 %2</translation>
    </message>
    <message>
        <source>Sweep: %1</source>
        <translation>扫描：%1</translation>
    </message>
    <message>
        <source>“Queue a sweep…” uses these values; Run uses the one in the field</source>
        <translation>“扫描排队…”使用这些值；“运行”使用输入框中的值</translation>
    </message>
    <message>
        <source>, changed</source>
        <translation>，已更改</translation>
    </message>
    <message>
        <source> Problem: %1.</source>
        <translation> 问题：%1。</translation>
    </message>
    <message>
        <source>Sweep over this setting</source>
        <translation>对此设置的扫描</translation>
    </message>
</context>
<context>
    <name>casp::widgets::PaperPage</name>
    <message>
        <source>Backbone and settings of our runs</source>
        <translation>我们的运行所用的骨干网络和设置</translation>
    </message>
    <message>
        <source>Runs that cannot be read</source>
        <translation>无法读取的运行</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>论文</translation>
    </message>
    <message>
        <source>Progress of reading runs</source>
        <translation>读取运行的进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stops reading the runs; the table stays as it is</source>
        <translation>停止读取运行；表格保持原样</translation>
    </message>
    <message>
        <source>Cancelled. Select the table again to fill it.</source>
        <translation>已取消。重新选择表格可再次填充。</translation>
    </message>
    <message>
        <source>Table of the paper</source>
        <translation>论文的表格</translation>
    </message>
    <message>
        <source>Ours and paper</source>
        <translation>我们与论文</translation>
    </message>
    <message>
        <source>Ours</source>
        <translation>我们</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Values to show</source>
        <translation>要显示的值</translation>
    </message>
    <message>
        <source>Our values, the paper&apos;s, or ours minus the paper&apos;s</source>
        <translation>我们的值、论文的值，或我们的值减去论文的值</translation>
    </message>
    <message>
        <source>&amp;Table</source>
        <translation>表格(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Show</source>
        <translation>显示(&amp;S)</translation>
    </message>
    <message>
        <source>Copy as &amp;LaTeX</source>
        <translation>复制为 LaTeX(&amp;L)</translation>
    </message>
    <message>
        <source>Copies the table with paper, ours and difference; needs booktabs and graphicx</source>
        <translation>复制包含论文值、我们的值和差异的表格；需要 booktabs 和 graphicx</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <source>Copy as &amp;Markdown</source>
        <translation>复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>Copies the table with paper, ours and difference for notes</source>
        <translation>复制包含论文值、我们的值和差异的表格，供笔记使用</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Copy as CS&amp;V</source>
        <translation>复制为 CSV(&amp;V)</translation>
    </message>
    <message>
        <source>Copies one line per cell, with all digits, for a spreadsheet</source>
        <translation>每个单元格复制为一行，包含所有位数，供电子表格使用</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>Run &amp;what is missing…</source>
        <translation>运行缺失项(&amp;W)…</translation>
    </message>
    <message>
        <source>Opens the table&apos;s experiment on the page Sweep; its Queue button queues the missing runs</source>
        <translation>在“扫描”页打开此表格的实验；该页的“排队”按钮将缺失的运行加入队列</translation>
    </message>
    <message>
        <source>Values of the paper and ours</source>
        <translation>论文的值和我们的值</translation>
    </message>
    <message>
        <source>Click a value, or press Enter, to select its runs</source>
        <translation>点击某个值或按 Enter 可选择其运行</translation>
    </message>
    <message>
        <source>Select the runs of this value</source>
        <translation>选择该值的运行</translation>
    </message>
    <message>
        <source>Compare the runs of this value</source>
        <translation>比较该值的运行</translation>
    </message>
    <message>
        <source>Notes and printed faults</source>
        <translation>说明和印刷错误</translation>
    </message>
    <message>
        <source>Notes on the table; † marks printed faults and other remarks</source>
        <translation>关于表格的说明；† 标记印刷错误和其他备注</translation>
    </message>
    <message>
        <source>paper</source>
        <translation>论文</translation>
    </message>
    <message>
        <source>⚠ A run is not in the table: %1</source>
        <translation>⚠ 有一个运行不在表格中：%1</translation>
    </message>
    <message>
        <source>⚠ %1 is not in the table: its settings cannot be read (%2)</source>
        <translation>⚠ %1 不在表格中：其设置无法读取（%2）</translation>
    </message>
    <message>
        <source>No finished run belongs to this value.</source>
        <translation>没有已完成的运行对应该值。</translation>
    </message>
    <message>
        <source>Table copied as %1.</source>
        <translation>表格已复制为 %1。</translation>
    </message>
    <message>
        <source>Missing runs</source>
        <translation>缺少的运行</translation>
    </message>
</context>
<context>
    <name>casp::widgets::QueuePanel</name>
    <message>
        <source>, position %1</source>
        <translation>，第 %1 位</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Runs in the queue</source>
        <translation>队列中的运行</translation>
    </message>
    <message>
        <source>The queue is empty.

Run and “Queue a sweep…” add runs here. Each device trains one run at a time.</source>
        <translation>队列为空。

“运行”和“扫描排队…”将运行添加到此处。每个设备一次训练一个运行。</translation>
    </message>
    <message>
        <source>&amp;Hold</source>
        <translation>暂停队列(&amp;H)</translation>
    </message>
    <message>
        <source>Hold the queue</source>
        <translation>暂停队列</translation>
    </message>
    <message>
        <source>Pauses the queue. The current run continues.</source>
        <translation>暂停队列。当前运行不受影响。</translation>
    </message>
    <message>
        <source>State of the queue</source>
        <translation>队列的状态</translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>Moves this run up in the queue</source>
        <translation>在队列中上移该运行</translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>Moves this run down in the queue</source>
        <translation>在队列中下移该运行</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Pauses the run between two steps or during its evaluation until it is resumed</source>
        <translation>在两步之间或评估期间暂停该运行，直至继续</translation>
    </message>
    <message>
        <source>&amp;Finish early and evaluate</source>
        <translation>提前结束并评估(&amp;F)</translation>
    </message>
    <message>
        <source>Stops training now, then evaluates the run and keeps its results</source>
        <translation>立即停止训练，然后评估该运行并保留其结果</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Stops the run and keeps its last checkpoint</source>
        <translation>停止该运行，保留其最后的检查点</translation>
    </message>
    <message>
        <source>&amp;Retry</source>
        <translation>重试(&amp;R)</translation>
    </message>
    <message>
        <source>Queues the run again, from its checkpoint if it has one</source>
        <translation>将该运行重新加入队列；若有检查点，则从检查点开始</translation>
    </message>
    <message>
        <source>Rem&amp;ove from the queue</source>
        <translation>从队列中移除(&amp;O)</translation>
    </message>
    <message>
        <source>Removes the entry. The folder of a run that never started is deleted; files that a run has written are kept</source>
        <translation>移除该条目。从未启动的运行，其文件夹会被删除；运行已写出的文件会保留</translation>
    </message>
    <message>
        <source>held</source>
        <translation>队列已暂停</translation>
    </message>
    <message>
        <source>not held</source>
        <translation>队列未暂停</translation>
    </message>
    <message>
        <source>Re&amp;sume</source>
        <translation>继续(&amp;S)</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>%1 个运行中</translation>
    </message>
    <message>
        <source>%1 paused</source>
        <translation>%1 个已暂停</translation>
    </message>
    <message>
        <source>%1 stopping</source>
        <translation>%1 个正在停止</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 个等待中</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Running and waiting runs. Alt+Up and Alt+Down change the order</source>
        <translation>正在进行和等待的运行。Alt+Up 和 Alt+Down 更改次序</translation>
    </message>
</context>
<context>
    <name>casp::widgets::RanksTable</name>
    <message>
        <source>Models and tasks</source>
        <translation>模型和任务</translation>
    </message>
    <message>
        <source>About the table of models and tasks</source>
        <translation>关于模型和任务表格</translation>
    </message>
    <message>
        <source>Errors and ranks of models</source>
        <translation>模型的误差和排名</translation>
    </message>
    <message>
        <source>Mean error of each model in each task, with its rank in the task</source>
        <translation>每个模型在每个任务中的平均误差，及其在该任务中的排名</translation>
    </message>
    <message>
        <source>Copy as LaTe&amp;X</source>
        <translation>复制为 LaTeX(&amp;X)</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <source>Copies the table of models; its first line lists the LaTeX packages</source>
        <translation>复制模型表格；其第一行列出所需的 LaTeX 宏包</translation>
    </message>
    <message>
        <source>Copy as Mar&amp;kdown</source>
        <translation>复制为 Markdown(&amp;K)</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Copies the table of models for notes</source>
        <translation>复制模型表格，供笔记使用</translation>
    </message>
    <message>
        <source>Copy as CS&amp;V</source>
        <translation>复制为 CSV(&amp;V)</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>Copies one line per model and task, with all digits</source>
        <translation>每个模型和任务复制为一行，包含所有位数</translation>
    </message>
    <message>
        <source> (runs: %1)%2</source>
        <translation> （运行数：%1）%2</translation>
    </message>
    <message>
        <source>Table copied as %1.</source>
        <translation>表格已复制为 %1。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::RemoteFolder</name>
    <message>
        <source>%1 of %2 could not be copied: %3</source>
        <translation>无法复制 %2 的 %1：%3</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的 %1</translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation>%1 个文件</translation>
    </message>
    <message>
        <source>copying %1: %2 of %3 MB</source>
        <translation>正在复制 %1：%2/%3 MB</translation>
    </message>
</context>
<context>
    <name>casp::widgets::RunMarksKeeper</name>
    <message>
        <source> The list keeps the change and saves it as soon as possible.</source>
        <translation> 列表保留该更改，并会尽快保存。</translation>
    </message>
    <message>
        <source>%1 no longer exists; the note “%2” is saved when the folder is back.</source>
        <translation>%1 不再存在；文件夹恢复后会保存备注“%2”。</translation>
    </message>
    <message>
        <source>%1 no longer exists; the note “%2” was not saved.</source>
        <translation>%1 不再存在；备注“%2”未保存。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::RunsBanner</name>
    <message>
        <source>Notification</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Notification of this panel</source>
        <translation>此面板的通知</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undoes the last action</source>
        <translation>撤销上一操作</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>casp::widgets::RunsDelegate</name>
    <message>
        <source>best val. sMAPE</source>
        <translation>最佳验证 sMAPE</translation>
    </message>
    <message>
        <source>best val. MSE</source>
        <translation>最佳验证 MSE</translation>
    </message>
</context>
<context>
    <name>casp::widgets::RunsModel</name>
    <message>
        <source>running in another process</source>
        <translation>在另一进程中运行</translation>
    </message>
    <message>
        <source>epoch %1/%2</source>
        <translation>轮次 %1/%2</translation>
    </message>
    <message>
        <source>⚠ This run&apos;s files cannot be read; the numbers here come from its run.json.
</source>
        <translation>⚠ 该运行的文件无法读取；此处的数值来自其 run.json。
</translation>
    </message>
    <message>
        <source>Not in the queue. Press Continue to start it</source>
        <translation>不在队列中。按“继续”可启动</translation>
    </message>
    <message>
        <source>Double-click to change this run&apos;s colour</source>
        <translation>双击可更改该运行的颜色</translation>
    </message>
    <message>
        <source>Shown in the views. Click or press Space to hide</source>
        <translation>在视图中显示。点击或按 Space 可隐藏</translation>
    </message>
    <message>
        <source>Hidden. Click or press Space to show in the views</source>
        <translation>已隐藏。点击或按 Space 可在视图中显示</translation>
    </message>
    <message>
        <source>Trained on an untrained backbone: its numbers prove nothing about the method</source>
        <translation>在未训练的骨干网络上训练：其数值不能证明方法的任何性质</translation>
    </message>
    <message>
        <source>not available yet</source>
        <translation>尚不可用</translation>
    </message>
    <message>
        <source>Forked from </source>
        <translation>分支自 </translation>
    </message>
    <message>
        <source>Note: </source>
        <translation>备注： </translation>
    </message>
    <message>
        <source>shown</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <source>best by validation error</source>
        <translation>按验证误差最佳</translation>
    </message>
</context>
<context>
    <name>casp::widgets::RunsPanel</name>
    <message>
        <source>Sort runs</source>
        <translation>运行排序</translation>
    </message>
    <message>
        <source>Sort order of the list</source>
        <translation>列表的排序方式</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Columns shown in the table</source>
        <translation>表格中显示的列</translation>
    </message>
    <message>
        <source>Wastebasket</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Deleted runs: restore them, or empty the wastebasket</source>
        <translation>已删除的运行：恢复它们，或清空回收站</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Filter: etth1 lambda_cov&gt;0.05</source>
        <translation>筛选：etth1 lambda_cov&gt;0.05</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>Problem of the filter</source>
        <translation>筛选条件的问题</translation>
    </message>
    <message>
        <source>Number of runs</source>
        <translation>运行数</translation>
    </message>
    <message>
        <source>Numbers of listed, shown and selected runs</source>
        <translation>列出、显示和选中的运行数</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Jobs on the cluster</source>
        <translation>集群上的作业</translation>
    </message>
    <message>
        <source>Tasks of the submitted job arrays, asked for every half minute</source>
        <translation>已提交的作业数组的任务，每半分钟查询一次</translation>
    </message>
    <message>
        <source>How to fill this list</source>
        <translation>如何填充此列表</translation>
    </message>
    <message>
        <source>Open a folder of runs</source>
        <translation>打开运行文件夹</translation>
    </message>
    <message>
        <source>Opens another output folder</source>
        <translation>打开另一个输出文件夹</translation>
    </message>
    <message>
        <source>reading %1 of %2</source>
        <translation>正在读取 %1/%2</translation>
    </message>
    <message>
        <source>Runs of the output folder. Space shows or hides a run in the views, Enter shows only this run</source>
        <translation>输出文件夹中的运行。Space 在视图中显示或隐藏运行，Enter 仅显示该运行</translation>
    </message>
    <message>
        <source>Columns of the runs</source>
        <translation>运行的列</translation>
    </message>
    <message>
        <source>Choose a folder of runs…</source>
        <translation>选择运行文件夹…</translation>
    </message>
    <message>
        <source>Chooses the output folder for runs</source>
        <translation>选择运行的输出文件夹</translation>
    </message>
    <message>
        <source>Output folder: %1. New runs are stored here as well. Click to open another folder</source>
        <translation>输出文件夹：%1。新运行也存储在此。点击可打开另一个文件夹</translation>
    </message>
    <message>
        <source>Folder of runs: </source>
        <translation>运行文件夹： </translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 个运行</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 个运行</translation>
    </message>
    <message>
        <source>%1 of 1 run</source>
        <translation>%1/1 个运行</translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>%1/%2 个运行</translation>
    </message>
    <message>
        <source>%1 shown</source>
        <translation>%1 个已显示</translation>
    </message>
    <message>
        <source>%1 selected</source>
        <translation>%1 个已选中</translation>
    </message>
    <message>
        <source>No run matches the filter.</source>
        <translation>没有运行符合筛选条件。</translation>
    </message>
    <message>
        <source>Show all runs</source>
        <translation>显示所有运行</translation>
    </message>
    <message>
        <source>Clears the filter</source>
        <translation>清除筛选条件</translation>
    </message>
    <message>
        <source>Your runs will be listed here, with their λ_cov, error and state.

Press Run, or open a folder of earlier runs.</source>
        <translation>您的运行将列在此处，包括其 λ_cov、误差和状态。

请按“运行”，或打开存有以前运行的文件夹。</translation>
    </message>
    <message>
        <source>Reading the runs of this folder…</source>
        <translation>正在读取此文件夹中的运行…</translation>
    </message>
    <message>
        <source>Open a folder of runs…</source>
        <translation>打开运行文件夹…</translation>
    </message>
    <message>
        <source>Resumes interrupted, cancelled or failed runs from their last checkpoint, and starts runs left in the queue by an earlier session</source>
        <translation>从最后的检查点继续被中断、已取消或失败的运行，并启动以前会话留在队列中的运行</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Moves the selected runs to the wastebasket; can be undone (Del)</source>
        <translation>将选中的运行移到回收站；可撤销（Del）</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>Shows only this run (Enter)</source>
        <translation>仅显示该运行（Enter）</translation>
    </message>
    <message>
        <source>&amp;Show or hide in the views</source>
        <translation>在视图中显示或隐藏(&amp;S)</translation>
    </message>
    <message>
        <source>Shows the selected runs in all views, or hides them (Space)</source>
        <translation>在所有视图中显示或隐藏选中的运行（Space）</translation>
    </message>
    <message>
        <source>Show onl&amp;y these</source>
        <translation>仅显示选中的(&amp;Y)</translation>
    </message>
    <message>
        <source>Shows the selected runs and hides all others</source>
        <translation>显示选中的运行，隐藏其他所有运行</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>比较(&amp;C)</translation>
    </message>
    <message>
        <source>Shows the selected runs on the Compare page</source>
        <translation>在“比较”页显示选中的运行</translation>
    </message>
    <message>
        <source>&amp;Difference of settings</source>
        <translation>设置的差异(&amp;D)</translation>
    </message>
    <message>
        <source>Shows the settings in which the selected runs differ, with their results</source>
        <translation>显示选中的运行之间不同的设置及其结果</translation>
    </message>
    <message>
        <source>Edit &amp;note</source>
        <translation>编辑备注(&amp;N)</translation>
    </message>
    <message>
        <source>Edits the note on this run</source>
        <translation>编辑该运行的备注</translation>
    </message>
    <message>
        <source>Choose a colou&amp;r</source>
        <translation>选择颜色(&amp;R)</translation>
    </message>
    <message>
        <source>Changes the run&apos;s colour in all views</source>
        <translation>更改该运行在所有视图中的颜色</translation>
    </message>
    <message>
        <source>Contin&amp;ue</source>
        <translation>继续(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Fork with another λ_cov…</source>
        <translation>用另一个 λ_cov 分支(&amp;F)…</translation>
    </message>
    <message>
        <source>Starts a new run with another λ_cov from this run&apos;s checkpoint</source>
        <translation>从该运行的检查点启动一个 λ_cov 不同的新运行</translation>
    </message>
    <message>
        <source>Loads this run&apos;s settings into the experiment form</source>
        <translation>将该运行的设置载入实验表单</translation>
    </message>
    <message>
        <source>Copy rows as CS&amp;V</source>
        <translation>将行复制为 CSV(&amp;V)</translation>
    </message>
    <message>
        <source>Copy rows as &amp;Markdown</source>
        <translation>将行复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>Open in the file mana&amp;ger</source>
        <translation>在文件管理器中打开(&amp;G)</translation>
    </message>
    <message>
        <source>Shows the run&apos;s files in the file manager</source>
        <translation>在文件管理器中显示该运行的文件</translation>
    </message>
    <message>
        <source>E&amp;xport as archive…</source>
        <translation>导出为归档(&amp;X)…</translation>
    </message>
    <message>
        <source>Writes the run folder, or the batch if all its runs are selected, into one archive file</source>
        <translation>将运行文件夹写入一个归档文件；若选中一批中的所有运行，则写入整批</translation>
    </message>
    <message>
        <source>Move to the &amp;wastebasket</source>
        <translation>移到回收站(&amp;W)</translation>
    </message>
    <message>
        <source>Co&amp;lour</source>
        <translation>颜色(&amp;L)</translation>
    </message>
    <message>
        <source>These runs are on %1. Move or remove them there.</source>
        <translation>这些运行在 %1 上。请在那里移动或移除它们。</translation>
    </message>
    <message>
        <source>These runs are on %1. Resume them there (caspstudio --batch … --resume), or fork them.</source>
        <translation>这些运行在 %1 上。请在那里继续它们（caspstudio --batch … --resume），或为其创建分支。</translation>
    </message>
    <message>
        <source>&lt;p&gt;Cannot be continued. %1&lt;/p&gt;</source>
        <translation>&lt;p&gt;无法继续。%1&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Cannot be continued: %1</source>
        <translation>无法继续：%1</translation>
    </message>
    <message>
        <source>Co&amp;py</source>
        <translation>复制(&amp;P)</translation>
    </message>
    <message>
        <source>Col&amp;umns of the runs</source>
        <translation>运行的列(&amp;U)</translation>
    </message>
    <message>
        <source>Columns shown when the list of runs is wide enough</source>
        <translation>运行列表足够宽时显示的列</translation>
    </message>
    <message>
        <source>Default columns</source>
        <translation>默认列</translation>
    </message>
    <message>
        <source>Restores the default columns, order and widths</source>
        <translation>恢复默认的列、顺序和宽度</translation>
    </message>
    <message>
        <source>Sort order of the list of runs</source>
        <translation>运行列表的排序方式</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>最新在前</translation>
    </message>
    <message>
        <source>Last changed first</source>
        <translation>最近更改在前</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Shown first</source>
        <translation>显示的在前</translation>
    </message>
    <message>
        <source>λ_cov, smallest first</source>
        <translation>λ_cov，从小到大</translation>
    </message>
    <message>
        <source>Validation MSE, best first</source>
        <translation>验证 MSE，最佳在前</translation>
    </message>
    <message>
        <source>Test MSE, best first</source>
        <translation>测试 MSE，最佳在前</translation>
    </message>
    <message>
        <source>Key cosine, lowest first</source>
        <translation>键余弦，从低到高</translation>
    </message>
    <message>
        <source>Entropy, highest first</source>
        <translation>熵，从高到低</translation>
    </message>
    <message>
        <source>Other…</source>
        <translation>其他…</translation>
    </message>
    <message>
        <source>%1 kept the previous colour: no longer in the list, or being moved to the wastebasket.</source>
        <translation>%1 保留原来的颜色：已不在列表中，或正在移到回收站。</translation>
    </message>
    <message>
        <source>Copied %1 as %2.</source>
        <translation>已复制 %1（%2）。</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>Restoring %1 of %2 runs</source>
        <translation>正在恢复运行：%1/%2</translation>
    </message>
    <message>
        <source>Moving %1 of %2 runs to the wastebasket</source>
        <translation>正在将运行移到回收站：%1/%2</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source> moved to the wastebasket.</source>
        <translation> 已移到回收站。</translation>
    </message>
    <message>
        <source>Cancelled: %1 remain in the list.</source>
        <translation>已取消：列表中仍有 %1。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Lo&amp;ad settings</source>
        <translation>载入设置(&amp;A)</translation>
    </message>
    <message>
        <source>Sor&amp;t the runs by</source>
        <translation>运行排序方式(&amp;T)</translation>
    </message>
    <message>
        <source>No run is highlighted</source>
        <translation>没有高亮的运行</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Best (★) first</source>
        <translation>最佳（★）在前</translation>
    </message>
    <message>
        <source>Copies the selected rows (Ctrl+A: all) with all digits</source>
        <translation>复制所选的行（Ctrl+A：全部），保留所有位数</translation>
    </message>
    <message>
        <source>Copies the selected rows (Ctrl+A: all) as a table for notes</source>
        <translation>将所选的行（Ctrl+A：全部）复制为可用于笔记的表格</translation>
    </message>
    <message>
        <source>Note on %1, stored in its folder</source>
        <translation>%1 的备注，存储在其文件夹中</translation>
    </message>
    <message>
        <source>The note on %1 cannot be saved: the run is no longer in the list, or is being moved to the wastebasket. Your text: %2</source>
        <translation>无法保存 %1 的备注：该运行已不在列表中，或正在移入回收站。您的文本：%2</translation>
    </message>
</context>
<context>
    <name>casp::widgets::RunsWastebasket</name>
    <message>
        <source>&amp;Restore</source>
        <translation>恢复(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Empty…</source>
        <translation>清空(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Back to the runs</source>
        <translation>返回运行(&amp;B)</translation>
    </message>
    <message>
        <source>Back to the runs</source>
        <translation>返回运行</translation>
    </message>
    <message>
        <source>Returns to the list of runs</source>
        <translation>返回运行列表</translation>
    </message>
    <message>
        <source>Deleted runs, with all their files</source>
        <translation>已删除的运行及其所有文件</translation>
    </message>
    <message>
        <source>The wastebasket is empty.

Deleted runs (Del) stay here with all their files until you restore them or empty the wastebasket.</source>
        <translation>回收站为空。

已删除（Del）的运行及其所有文件保留在此，直到您恢复它们或清空回收站。</translation>
    </message>
    <message>
        <source>Runs in the wastebasket</source>
        <translation>回收站中的运行</translation>
    </message>
    <message>
        <source>Runs in the wastebasket; select the runs to restore</source>
        <translation>回收站中的运行；选择要恢复的运行</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Moves the selected runs back to their folders, or all runs if none are selected</source>
        <translation>将选中的运行移回其文件夹；未选择时移回所有运行</translation>
    </message>
    <message>
        <source>Empty the wastebasket</source>
        <translation>清空回收站</translation>
    </message>
    <message>
        <source>Permanently deletes all runs in the wastebasket, after confirmation</source>
        <translation>经确认后，永久删除回收站中的所有运行</translation>
    </message>
    <message>
        <source>Wastebasket</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Wastebasket: 1 run</source>
        <translation>回收站：1 个运行</translation>
    </message>
    <message>
        <source>Wastebasket: %1 runs</source>
        <translation>回收站：%1 个运行</translation>
    </message>
    <message>
        <source>Cancelled: %1 of %2 remain in the wastebasket.</source>
        <translation>已取消：回收站中仍有 %2 个运行中的 %1 个。</translation>
    </message>
    <message>
        <source>Permanently delete 1 run?</source>
        <translation>永久删除 1 个运行？</translation>
    </message>
    <message>
        <source>Permanently delete %1 runs?</source>
        <translation>永久删除 %1 个运行？</translation>
    </message>
    <message>
        <source>Their checkpoints, curves and forecasts are deleted as well. This cannot be undone.</source>
        <translation>其检查点、曲线和预测也会删除。此操作无法撤销。</translation>
    </message>
    <message>
        <source>Delete permanently</source>
        <translation>永久删除</translation>
    </message>
</context>
<context>
    <name>casp::widgets::Selection</name>
    <message>
        <source>anchor</source>
        <translation>锚点</translation>
    </message>
    <message>
        <source>anchors</source>
        <translation>锚点</translation>
    </message>
    <message>
        <source>%1 and the windows that retrieve it</source>
        <translation>%1 以及检索它的窗口</translation>
    </message>
    <message>
        <source>%1 and the windows that retrieve them</source>
        <translation>%1 以及检索它们的窗口</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
</context>
<context>
    <name>casp::widgets::SeriesModel</name>
    <message>
        <source>sMAPE (%)</source>
        <translation>sMAPE（%）</translation>
    </message>
    <message>
        <source>MASE</source>
        <translation>MASE</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>Id; sorts in the order of the file</source>
        <translation>id；按文件中的顺序排序</translation>
    </message>
    <message>
        <source>%1 of the test forecast, %2</source>
        <translation>测试预测的 %1，%2</translation>
    </message>
</context>
<context>
    <name>casp::widgets::SeriesPanel</name>
    <message>
        <source>Filter by id</source>
        <translation>按 id 筛选</translation>
    </message>
    <message>
        <source>Filter series by id</source>
        <translation>按 id 筛选序列</translation>
    </message>
    <message>
        <source>Lists only series whose id contains this text</source>
        <translation>仅列出 id 包含该文本的序列</translation>
    </message>
    <message>
        <source>Number of listed series</source>
        <translation>列出的序列数</translation>
    </message>
    <message>
        <source>Worst and best series</source>
        <translation>最差和最佳序列</translation>
    </message>
    <message>
        <source>Click a header to sort. Select rows to show their forecasts</source>
        <translation>点击表头排序。选择行可显示其预测</translation>
    </message>
    <message>
        <source>%1 series</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>%1 of %2 series</source>
        <translation>%1/%2 个序列</translation>
    </message>
</context>
<context>
    <name>casp::widgets::SplitFields</name>
    <message>
        <source>%1: yyyy-mm-dd</source>
        <translation>%1：yyyy-mm-dd</translation>
    </message>
    <message>
        <source>Rows for %1</source>
        <translation>%1 的行数</translation>
    </message>
    <message>
        <source>Fraction of the rows for %1</source>
        <translation>%1 占行数的比例</translation>
    </message>
    <message>
        <source>Date of the first row of %1</source>
        <translation>%1 第一行的日期</translation>
    </message>
    <message>
        <source>Rows for %1, counted from the first row on</source>
        <translation>%1 的行数，从第一行算起</translation>
    </message>
    <message>
        <source>Fraction of the rows for %1, such as 0.7</source>
        <translation>%1 占行数的比例，例如 0.7</translation>
    </message>
    <message>
        <source>The first row at or after this date begins %1: 2018-07-01 or 2018-07-01 12:00</source>
        <translation>此日期或其后的第一行是 %1 的开始：2018-07-01 或 2018-07-01 12:00</translation>
    </message>
    <message>
        <source>“%1” is not a row count</source>
        <translation>“%1”不是行数</translation>
    </message>
    <message>
        <source>“%1” is not a fraction, such as 0.7</source>
        <translation>“%1”不是比例，例如 0.7</translation>
    </message>
    <message>
        <source>The split %1</source>
        <translation>划分 %1</translation>
    </message>
</context>
<context>
    <name>casp::widgets::StepBar</name>
    <message>
        <source>S&amp;napshot</source>
        <translation>快照(&amp;N)</translation>
    </message>
    <message>
        <source>Play the snapshots</source>
        <translation>播放快照</translation>
    </message>
    <message>
        <source>Previous snapshot</source>
        <translation>上一个快照</translation>
    </message>
    <message>
        <source>Snapshot</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>Training step of the shown snapshot; the right end always follows the latest</source>
        <translation>所示快照的训练步；最右端始终跟随最新快照</translation>
    </message>
    <message>
        <source>Next snapshot</source>
        <translation>下一个快照</translation>
    </message>
    <message>
        <source>Latest snapshot, following new ones</source>
        <translation>最新快照，并跟随新快照</translation>
    </message>
    <message>
        <source>step 000000 (latest)</source>
        <translation>第 000000 步（最新）</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>step %1 (latest)</source>
        <translation>第 %1 步（最新）</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
</context>
<context>
    <name>casp::widgets::SubmitDialog</name>
    <message>
        <source>%1: save the script, and submit it with sbatch on a login node.</source>
        <translation>%1：请保存脚本，并在登录节点上用 sbatch 提交。</translation>
    </message>
    <message>
        <source>Submit to Slurm</source>
        <translation>提交到 Slurm</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>The script for sbatch, kept in the folder of the runs as submit.slurm</source>
        <translation>供 sbatch 使用的脚本，以 submit.slurm 保存在运行文件夹中</translation>
    </message>
    <message>
        <source>What is submitted</source>
        <translation>提交的内容</translation>
    </message>
    <message>
        <source>What is submitted, or why it cannot be</source>
        <translation>提交的内容，或不能提交的原因</translation>
    </message>
    <message>
        <source>Submit</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>Save script</source>
        <translation>保存脚本</translation>
    </message>
    <message>
        <source>Close without submitting (Esc)</source>
        <translation>关闭，不提交（Esc）</translation>
    </message>
    <message>
        <source>Writes submit.slurm and submit.toml into the folder of the runs, for sbatch on the cluster</source>
        <translation>将 submit.slurm 和 submit.toml 写入运行文件夹，供集群上的 sbatch 使用</translation>
    </message>
    <message>
        <source> Problem: %1.</source>
        <translation> 问题：%1。</translation>
    </message>
    <message>
        <source>Checking the experiment…</source>
        <translation>正在检查实验…</translation>
    </message>
    <message>
        <source>Nothing to submit: all runs are finished.</source>
        <translation>没有可提交的内容：所有运行都已完成。</translation>
    </message>
    <message>
        <source>Writes the script and submits it with sbatch</source>
        <translation>写出脚本并用 sbatch 提交</translation>
    </message>
    <message>
        <source>Submitting…</source>
        <translation>正在提交…</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>%1 of %2 runs are unfinished. They go to %3.</source>
        <translation>%2 次运行中有 %1 次未完成，将存入 %3。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::SweepEditor</name>
    <message>
        <source>Every combination of these values becomes one run. Enter a list (0, 0.05, 0.1) or a range as start:stop:count (0:0.5:6, or 0.001:1:4 log).</source>
        <translation>这些值的每种组合成为一个运行。请输入列表（0, 0.05, 0.1），或以 start:stop:count 形式输入范围（0:0.5:6，或 0.001:1:4 log）。</translation>
    </message>
    <message>
        <source>+ Add a setting</source>
        <translation>+ 添加设置</translation>
    </message>
    <message>
        <source>Sweep over another setting</source>
        <translation>扫描另一个设置</translation>
    </message>
    <message>
        <source>Add a setting to the sweep</source>
        <translation>向扫描添加设置</translation>
    </message>
    <message>
        <source>Number of runs and estimated time</source>
        <translation>运行数和估计时间</translation>
    </message>
    <message>
        <source>Notes on the sweep</source>
        <translation>关于扫描的说明</translation>
    </message>
    <message>
        <source>Problems of the sweep</source>
        <translation>扫描的问题</translation>
    </message>
    <message>
        <source>Run names</source>
        <translation>运行名称</translation>
    </message>
    <message>
        <source>Runs in queue order</source>
        <translation>按队列顺序排列的运行</translation>
    </message>
    <message>
        <source>The run names appear here.</source>
        <translation>此处显示运行名称。</translation>
    </message>
    <message>
        <source>Setting to sweep over</source>
        <translation>要扫描的设置</translation>
    </message>
    <message>
        <source>Values to sweep over</source>
        <translation>要扫描的值</translation>
    </message>
    <message>
        <source>Do not sweep over this setting</source>
        <translation>不扫描该设置</translation>
    </message>
    <message>
        <source>Remove this setting from the sweep</source>
        <translation>从扫描中移除该设置</translation>
    </message>
    <message>
        <source>%1 is already swept in another row</source>
        <translation>%1 已在另一行中扫描</translation>
    </message>
    <message>
        <source>No sweep yet: correct the values marked above.</source>
        <translation>尚无扫描：请更正上方标出的值。</translation>
    </message>
    <message>
        <source>Correct the values marked above; without them: %1.</source>
        <translation>请更正上方标出的值；不计这些值：%1。</translation>
    </message>
    <message>
        <source>No values yet: enter values for at least one setting, or add a case.</source>
        <translation>尚无值：请为至少一个设置输入值，或添加情形。</translation>
    </message>
    <message>
        <source>This sweep cannot run yet.</source>
        <translation>此扫描尚不能运行。</translation>
    </message>
    <message>
        <source>Queue %1</source>
        <translation>%1排队</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>Put these runs at the end of the queue</source>
        <translation>将这些运行放到队列末尾</translation>
    </message>
    <message>
        <source>Enter values for at least one setting, or add a case</source>
        <translation>请为至少一个设置输入值，或添加情形</translation>
    </message>
    <message>
        <source>⚠ Some runs would fail. %1</source>
        <translation>⚠ 部分运行会失败。%1</translation>
    </message>
    <message>
        <source>%1, %2 in all</source>
        <translation>%1，总计 %2</translation>
    </message>
    <message>
        <source>Cases of the sweep</source>
        <translation>扫描的情形</translation>
    </message>
    <message>
        <source>Every case is combined with every combination above. The first case is the base of comparisons.</source>
        <translation>每个情形与上方的每个组合相结合。第一个情形是比较的对照。</translation>
    </message>
    <message>
        <source>Edit cases as TOML…</source>
        <translation>以 TOML 编辑情形…</translation>
    </message>
    <message>
        <source>Opens the experiment&apos;s text. A case is a named bundle of settings, such as “without coverage”: a table [[sweep.case]]</source>
        <translation>打开实验的文本。情形是一组命名的设置，例如“without coverage”：即一个表 [[sweep.case]]</translation>
    </message>
    <message>
        <source>Edit the cases of the sweep as TOML</source>
        <translation>以 TOML 编辑扫描的情形</translation>
    </message>
    <message>
        <source>Problem of the values</source>
        <translation>取值的问题</translation>
    </message>
    <message>
        <source>Compare λ_cov 0 with the one in the form</source>
        <translation>将 λ_cov 0 与表单中的值比较</translation>
    </message>
    <message>
        <source>Six runs: without and with the coverage loss, three seeds each, for a paired test</source>
        <translation>六个运行：不含与含覆盖损失，各三个种子，用于配对检验</translation>
    </message>
    <message>
        <source>λ_cov 0 against %1, three seeds</source>
        <translation>λ_cov 0 对比 %1，三个种子</translation>
    </message>
</context>
<context>
    <name>casp::widgets::TablePreview</name>
    <message>
        <source>Preview of the table</source>
        <translation>表格预览</translation>
    </message>
    <message>
        <source>Values as read; line numbers of the file on the left</source>
        <translation>读取到的值；左侧为文件的行号</translation>
    </message>
    <message>
        <source>The rows of the file appear here when it has been read.</source>
        <translation>读取文件后，此处显示其各行。</translation>
    </message>
    <message>
        <source>%1 cells are too many for the clipboard (at most %2). Select fewer, or use the file itself.</source>
        <translation>%1 个单元格超出剪贴板容量（最多 %2 个）。请少选一些，或直接使用文件。</translation>
    </message>
    <message>
        <source>%1 copied</source>
        <translation>已复制 %1</translation>
    </message>
    <message>
        <source>cell</source>
        <translation>个单元格</translation>
    </message>
    <message>
        <source>cells</source>
        <translation>个单元格</translation>
    </message>
</context>
<context>
    <name>casp::widgets::TablePreviewModel</name>
    <message>
        <source>no time</source>
        <translation>无时间</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Line %1: no value</source>
        <translation>第 %1 行：没有值</translation>
    </message>
    <message>
        <source>%1 looks like a marker for “no value”. See Preparation.</source>
        <translation>%1 像是表示“无值”的标记。参见“预处理”。</translation>
    </message>
    <message>
        <source>Line %1 of the file, row %2 of the data (from 0)</source>
        <translation>文件的第 %1 行，数据的第 %2 行（从 0 开始）</translation>
    </message>
    <message>
        <source>Time axis, read as %1</source>
        <translation>时间轴，按 %1 读取</translation>
    </message>
    <message>
        <source>Channel “%1”, %2</source>
        <translation>通道“%1”，%2</translation>
    </message>
    <message>
        <source>no cell is missing</source>
        <translation>没有缺失的单元格</translation>
    </message>
    <message>
        <source>missing cell</source>
        <translation>个缺失单元格</translation>
    </message>
    <message>
        <source>missing cells</source>
        <translation>个缺失单元格</translation>
    </message>
</context>
<context>
    <name>casp::widgets::TomlView</name>
    <message>
        <source>Resolved experiment as TOML</source>
        <translation>完整的实验设置（TOML）</translation>
    </message>
    <message>
        <source>All settings of the experiment as a TOML file. Highlighted lines differ from the preset, file or defaults.</source>
        <translation>以 TOML 文件表示的实验的所有设置。突出显示的行与预设、文件或默认值不同。</translation>
    </message>
    <message>
        <source>Problems of the TOML text</source>
        <translation>TOML 文本的问题</translation>
    </message>
    <message>
        <source>Press Enter or click to go to the place in the text</source>
        <translation>按 Enter 或点击可转到文本中的相应位置</translation>
    </message>
    <message>
        <source>Edit text</source>
        <translation>编辑文本</translation>
    </message>
    <message>
        <source>Edit the TOML text in place</source>
        <translation>就地编辑 TOML 文本</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Read the text into the form (Ctrl+Enter)</source>
        <translation>将文本读入表单（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Discard the edited text and keep the experiment</source>
        <translation>放弃编辑的文本，保留实验</translation>
    </message>
    <message>
        <source>The form has changed since you started editing; Apply overwrites that change.</source>
        <translation>开始编辑后表单已更改；“应用”会覆盖该更改。</translation>
    </message>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>第 %1 行，第 %2 列：%3</translation>
    </message>
</context>
<context>
    <name>casp::widgets::TrainingPage</name>
    <message>
        <source>Loss terms</source>
        <translation>损失项</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Coverage gate</source>
        <translation>覆盖门控</translation>
    </message>
    <message>
        <source>Learning rate and step time</source>
        <translation>学习率和每步时间</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Training time</source>
        <translation>训练时间</translation>
    </message>
    <message>
        <source>X axis</source>
        <translation>X 轴</translation>
    </message>
    <message>
        <source>Horizontal axis of the curves</source>
        <translation>曲线的横轴</translation>
    </message>
    <message>
        <source>&amp;X axis</source>
        <translation>X 轴(&amp;X)</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Weight of past values in the exponential moving average over all steps; the raw curve stays visible behind it</source>
        <translation>对所有步的指数移动平均中过去值的权重；原始曲线在其后仍可见</translation>
    </message>
    <message>
        <source>&amp;Smoothing</source>
        <translation>平滑(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Log X</source>
        <translation>对数 X(&amp;L)</translation>
    </message>
    <message>
        <source>Logarithmic x axis</source>
        <translation>x 轴取对数</translation>
    </message>
    <message>
        <source>Lo&amp;g Y</source>
        <translation>对数 Y(&amp;G)</translation>
    </message>
    <message>
        <source>Logarithmic y axes; a plot without values above 0 stays linear</source>
        <translation>y 轴取对数；没有大于 0 的值的图仍为线性</translation>
    </message>
    <message>
        <source>B&amp;y length</source>
        <translation>按长度(&amp;Y)</translation>
    </message>
    <message>
        <source>Smoothing by the number of steps of the longest shown run: none up to 200 steps, 0.9 from 2,000 on</source>
        <translation>按所显示的最长运行的步数平滑：200 步以内不平滑，2,000 步起为 0.9</translation>
    </message>
</context>
<context>
    <name>casp::widgets::TrainingProgress</name>
    <message>
        <source>epoch %1/%2</source>
        <translation>轮次 %1/%2</translation>
    </message>
    <message>
        <source>step %1/%2</source>
        <translation>步 %1/%2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%1 步/秒</translation>
    </message>
    <message>
        <source>GPU memory %1</source>
        <translation>GPU 内存 %1</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>内存 %1</translation>
    </message>
    <message>
        <source>Running run</source>
        <translation>正在进行的运行</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Fraction of training completed</source>
        <translation>已完成的训练比例</translation>
    </message>
    <message>
        <source>Fraction of training completed, assuming no early stopping</source>
        <translation>已完成的训练比例，假定没有早停</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ViewFrame</name>
    <message>
        <source>Copy &amp;picture</source>
        <translation>复制图片(&amp;P)</translation>
    </message>
    <message>
        <source>Copy &amp;numbers</source>
        <translation>复制数值(&amp;N)</translation>
    </message>
    <message>
        <source>Copies all numbers as CSV, unsmoothed</source>
        <translation>将所有数值复制为 CSV，不作平滑</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Settings of the shown runs</source>
        <translation>所显示运行的设置(&amp;S)</translation>
    </message>
    <message>
        <source>Settings side by side with their results (panel Difference)</source>
        <translation>并列显示各设置及结果（“差异”面板）</translation>
    </message>
    <message>
        <source>&amp;Help for this view</source>
        <translation>此视图的帮助(&amp;H)</translation>
    </message>
    <message>
        <source>
In a chart, Ctrl+wheel zooms (Ctrl+Shift+wheel: the y axis), Shift+wheel pans, dragging zooms to a box, and a double click shows everything</source>
        <translation>
在图表中，Ctrl+滚轮缩放（Ctrl+Shift+滚轮：y 轴），Shift+滚轮平移，拖动可框选缩放，双击显示全部</translation>
    </message>
    <message>
        <source>Enlarge %1</source>
        <translation>放大 %1</translation>
    </message>
    <message>
        <source>Menu of %1</source>
        <translation>%1 的菜单</translation>
    </message>
    <message>
        <source>How to fill %1</source>
        <translation>如何填充 %1</translation>
    </message>
    <message>
        <source>Copy, export</source>
        <translation>复制、导出</translation>
    </message>
    <message>
        <source>Copy or export this view</source>
        <translation>复制或导出此视图</translation>
    </message>
    <message>
        <source>%1 and %2 of this view</source>
        <translation>此视图的 %1 和 %2</translation>
    </message>
    <message>
        <source>Return to the other views</source>
        <translation>返回其他视图</translation>
    </message>
    <message>
        <source>Enlarge this view to fill the centre</source>
        <translation>放大此视图，使其填满中央区域</translation>
    </message>
    <message>
        <source>Picture of “%1” copied</source>
        <translation>已复制“%1”的图片</translation>
    </message>
    <message>
        <source>“%1” has %2 cells, too many for the clipboard (at most %3). Use Export… to write them to a CSV file.</source>
        <translation>“%1”有 %2 个单元格，超出剪贴板容量（最多 %3 个）。请用“导出…”将其写入 CSV 文件。</translation>
    </message>
    <message>
        <source>Numbers of “%1” copied as CSV</source>
        <translation>“%1”的数值已复制为 CSV</translation>
    </message>
    <message>
        <source>“%1” shows no runs</source>
        <translation>“%1”未显示任何运行</translation>
    </message>
    <message>
        <source>“%1” is still empty</source>
        <translation>“%1”仍为空</translation>
    </message>
    <message>
        <source>settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>help</source>
        <translation>帮助</translation>
    </message>
</context>
<context>
    <name>casp::widgets::ViewPage</name>
    <message>
        <source>Problems and omissions</source>
        <translation>问题和省略的内容</translation>
    </message>
    <message>
        <source> Open a CSV file and press Run, or show runs from the list on the left (Space).</source>
        <translation> 请打开 CSV 文件并按“运行”，或从左侧列表中显示运行（Space）。</translation>
    </message>
    <message>
        <source> The shown runs are waiting in the queue.</source>
        <translation> 所显示的运行正在队列中等待。</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 条</numerusform>
        </translation>
    </message>
    <message>
        <source>⚠ %1</source>
        <translation>⚠ %1</translation>
    </message>
    <message>
        <source>%1 of the %2 shown runs are plotted: running runs first, then in list order. Show fewer runs to plot others; the Compare page includes all.</source>
        <translation>显示的 %2 个运行中绘制了 %1 个：先是正在进行的运行，再按列表顺序。减少显示的运行可绘制其他运行；“比较”页包含所有运行。</translation>
    </message>
</context>
<context>
    <name>casp::widgets::WarningList</name>
    <message>
        <source>Search the warnings</source>
        <translation>搜索警告</translation>
    </message>
    <message>
        <source>Search warnings</source>
        <translation>搜索警告</translation>
    </message>
    <message>
        <source>Warnings about the file</source>
        <translation>关于文件的警告</translation>
    </message>
    <message>
        <source>Click or press Enter to go to the line in the preview</source>
        <translation>点击或按 Enter 可转到预览中的相应行</translation>
    </message>
    <message>
        <source>No warnings</source>
        <translation>没有警告</translation>
    </message>
    <message>
        <source>Warnings (%1)</source>
        <translation>警告（%1）</translation>
    </message>
    <message>
        <source>Warnings (%1 of %2)</source>
        <translation>警告（%1/%2）</translation>
    </message>
    <message>
        <source>Show warnings with this text in any column, such as a kind</source>
        <translation>显示任一列含此文本（如某个种类）的警告</translation>
    </message>
</context>
<context>
    <name>casp::widgets::WarningModel</name>
    <message>
        <source>
Enter or click: go to line %1</source>
        <translation>
Enter 或点击：转到第 %1 行</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>One column (84 mm)</source>
        <translation>单栏（84 mm）</translation>
    </message>
    <message>
        <source>Two columns (174 mm)</source>
        <translation>双栏（174 mm）</translation>
    </message>
    <message>
        <source>Slide 16:9</source>
        <translation>幻灯片 16:9</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Raster image with its resolution stored</source>
        <translation>位图，存有分辨率</translation>
    </message>
    <message>
        <source>Vector graphics with editable text, for Inkscape and the web</source>
        <translation>文本可编辑的矢量图，用于 Inkscape 和网页</translation>
    </message>
    <message>
        <source>Vector graphics with embedded fonts, for LaTeX</source>
        <translation>嵌入字体的矢量图，用于 LaTeX</translation>
    </message>
    <message>
        <source>All numbers, unsmoothed</source>
        <translation>全部数值，未平滑</translation>
    </message>
    <message>
        <source>Anchor usage in training</source>
        <translation>训练中的锚点使用次数</translation>
    </message>
    <message>
        <source>How often each anchor was retrieved in training, one strip per λ_cov</source>
        <translation>每个锚点在训练中被检索的次数，每个 λ_cov 一条</translation>
    </message>
    <message>
        <source>Score heatmap</source>
        <translation>得分热图</translation>
    </message>
    <message>
        <source>Similarity scores of the top-100 anchors before the retrieval, with and without coverage</source>
        <translation>检索之前前 100 个锚点的相似度得分，有覆盖和无覆盖</translation>
    </message>
    <message>
        <source>Score distribution</source>
        <translation>得分分布</translation>
    </message>
    <message>
        <source>Similarity scores of all anchors and of the retrieved ones, per λ_cov</source>
        <translation>全部锚点及检索到的锚点的相似度得分，按 λ_cov</translation>
    </message>
    <message>
        <source>Concentration</source>
        <translation>集中度</translation>
    </message>
    <message>
        <source>Retrievals of the 20 most retrieved anchors in training, by rank and cumulative</source>
        <translation>训练中检索最多的 20 个锚点的检索次数，按名次和累积</translation>
    </message>
    <message>
        <source>PCA</source>
        <translation>PCA</translation>
    </message>
    <message>
        <source>Principal planes of anchors, series and prompts per λ_cov, with a table of their variance</source>
        <translation>各 λ_cov 下锚点、序列和提示的主平面，附方差表</translation>
    </message>
    <message>
        <source>t-SNE</source>
        <translation>t-SNE</translation>
    </message>
    <message>
        <source>Anchors (blue), series (orange) and prompts (green) in one t-SNE, one plot per λ_cov</source>
        <translation>同一 t-SNE 中的锚点（蓝）、序列（橙）和提示（绿），每个 λ_cov 一幅图</translation>
    </message>
    <message>
        <source>Alignment</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>Series and prompts separately, and the cosine similarity between their rows</source>
        <translation>序列和提示分别显示，以及其各行之间的余弦相似度</translation>
    </message>
    <message>
        <source>Forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>The test window with the median error, forecast with each λ_cov</source>
        <translation>误差为中位数的测试窗口，用每个 λ_cov 预测</translation>
    </message>
    <message>
        <source>Sensitivity</source>
        <translation>敏感性</translation>
    </message>
    <message>
        <source>Error and retrieval metrics against every swept setting, mean and spread over seeds</source>
        <translation>误差和检索指标随每个扫描设置的变化，各随机种子的均值和离散程度</translation>
    </message>
    <message>
        <source>Difficulty strata</source>
        <translation>难度分层</translation>
    </message>
    <message>
        <source>Error, its change and the retrieval by decile of the input&apos;s residual</source>
        <translation>按输入残差的十分位划分的误差、误差变化和检索</translation>
    </message>
    <message>
        <source>Loss terms</source>
        <translation>损失项</translation>
    </message>
    <message>
        <source>Loss terms over the training steps</source>
        <translation>损失项随训练步的变化</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Validation MSE and MAE per epoch</source>
        <translation>每轮的验证 MSE 和 MAE</translation>
    </message>
    <message>
        <source>Coverage gate</source>
        <translation>覆盖门控</translation>
    </message>
    <message>
        <source>Fraction of pairs for which the coverage gate is active</source>
        <translation>覆盖门控激活的对所占比例</translation>
    </message>
    <message>
        <source>Coverage statistic</source>
        <translation>覆盖统计量</translation>
    </message>
    <message>
        <source>Coverage statistic c̃ of the anchors over the training</source>
        <translation>锚点的覆盖统计量 c̃ 在训练中的变化</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Test MSE by forecast step</source>
        <translation>按预测步的测试 MSE</translation>
    </message>
    <message>
        <source>Errors of the series</source>
        <translation>各序列的误差</translation>
    </message>
    <message>
        <source>Distribution of sMAPE and MASE over the series of a collection</source>
        <translation>sMAPE 和 MASE 在集合各序列上的分布</translation>
    </message>
    <message>
        <source>Test MSE</source>
        <translation>测试 MSE</translation>
    </message>
    <message>
        <source>Test MAE</source>
        <translation>测试 MAE</translation>
    </message>
    <message>
        <source>Test sMAPE</source>
        <translation>测试 sMAPE</translation>
    </message>
    <message>
        <source>Test MASE</source>
        <translation>测试 MASE</translation>
    </message>
    <message>
        <source>Test OWA</source>
        <translation>测试 OWA</translation>
    </message>
    <message>
        <source>Validation MSE</source>
        <translation>验证 MSE</translation>
    </message>
    <message>
        <source>Validation MAE</source>
        <translation>验证 MAE</translation>
    </message>
    <message>
        <source>Usage entropy</source>
        <translation>使用熵</translation>
    </message>
    <message>
        <source>Validation usage entropy</source>
        <translation>验证使用熵</translation>
    </message>
    <message>
        <source>Distinct anchors</source>
        <translation>不同锚点数</translation>
    </message>
    <message>
        <source>Key cosine</source>
        <translation>键余弦</translation>
    </message>
    <message>
        <source>Validation key cosine</source>
        <translation>验证键余弦</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Persistence MSE</source>
        <translation>持续性 MSE</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Best epoch</source>
        <translation>最佳轮次</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>backbone</source>
        <translation>骨干网络</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>sd</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>early</source>
        <translation>提前</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>配对</translation>
    </message>
    <message>
        <source>lower</source>
        <translation>更低</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>anchors</source>
        <translation>锚点</translation>
    </message>
    <message>
        <source>series</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>prompts</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>since previous snapshot</source>
        <translation>上一快照以来</translation>
    </message>
    <message>
        <source>test</source>
        <translation>测试集</translation>
    </message>
    <message>
        <source>train</source>
        <translation>训练集</translation>
    </message>
    <message>
        <source>snapshot</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>Delimiter</source>
        <translation>分隔符</translation>
    </message>
    <message>
        <source>Decimal separator</source>
        <translation>小数分隔符</translation>
    </message>
    <message>
        <source>First line</source>
        <translation>首行</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Time column</source>
        <translation>时间列</translation>
    </message>
    <message>
        <source>Date format</source>
        <translation>日期格式</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Train min</source>
        <translation>训练最小值</translation>
    </message>
    <message>
        <source>Train max</source>
        <translation>训练最大值</translation>
    </message>
    <message>
        <source>Train μ</source>
        <translation>训练 μ</translation>
    </message>
    <message>
        <source>Train σ</source>
        <translation>训练 σ</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺失值</translation>
    </message>
    <message>
        <source>Markers</source>
        <translation>标记值</translation>
    </message>
    <message>
        <source>In a run</source>
        <translation>在运行中</translation>
    </message>
    <message>
        <source>Channel name; checked: used by a run (data.columns)</source>
        <translation>通道名称；勾选：由运行使用（data.columns）</translation>
    </message>
    <message>
        <source>Minimum over the training rows (rows of the scaler), after the missing-value policy</source>
        <translation>训练行（标准化器所用的行）的最小值，在应用缺失值策略之后</translation>
    </message>
    <message>
        <source>Maximum over the training rows (rows of the scaler), after the missing-value policy</source>
        <translation>训练行（标准化器所用的行）的最大值，在应用缺失值策略之后</translation>
    </message>
    <message>
        <source>Mean over the training rows (rows of the scaler), subtracted by the scaler</source>
        <translation>训练行（标准化器所用的行）的均值，由标准化器减去</translation>
    </message>
    <message>
        <source>Population standard deviation over the training rows; the scaler divides by it (by 1 if it is 0)</source>
        <translation>训练行的总体标准差；标准化器以其为除数（若为 0 则除以 1）</translation>
    </message>
    <message>
        <source>Cells of the whole file without a number, and those with a listed sentinel unless sentinels are kept</source>
        <translation>整个文件中没有数字的单元格；若不保留哨兵值，还包括含所列哨兵值的单元格</translation>
    </message>
    <message>
        <source>Values that look like sentinels (markers for “no value”), and those listed in data.sentinels</source>
        <translation>形似哨兵值（表示“无值”的标记值）的值，以及 data.sentinels 中所列的值</translation>
    </message>
    <message>
        <source>How a run treats the channel with the settings above</source>
        <translation>在上述设置下运行如何处理该通道</translation>
    </message>
    <message>
        <source>ragged rows</source>
        <translation>列数不齐的行</translation>
    </message>
    <message>
        <source>unreadable cells</source>
        <translation>不可读的单元格</translation>
    </message>
    <message>
        <source>missing cells</source>
        <translation>缺失的单元格</translation>
    </message>
    <message>
        <source>duplicate columns</source>
        <translation>重复的列</translation>
    </message>
    <message>
        <source>duplicate times</source>
        <translation>重复的时间</translation>
    </message>
    <message>
        <source>times that decrease</source>
        <translation>倒退的时间</translation>
    </message>
    <message>
        <source>gaps in time</source>
        <translation>时间间断</translation>
    </message>
    <message>
        <source>constant channels</source>
        <translation>常量通道</translation>
    </message>
    <message>
        <source>suspicious markers</source>
        <translation>可疑的标记值</translation>
    </message>
    <message>
        <source>NaN cells</source>
        <translation>NaN 单元格</translation>
    </message>
    <message>
        <source>infinite cells</source>
        <translation>无穷大单元格</translation>
    </message>
    <message>
        <source>encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>text columns</source>
        <translation>文本列</translation>
    </message>
    <message>
        <source>row numbers</source>
        <translation>行号</translation>
    </message>
    <message>
        <source>date order</source>
        <translation>日期顺序</translation>
    </message>
    <message>
        <source>decimal separator</source>
        <translation>小数分隔符</translation>
    </message>
    <message>
        <source>catalogue</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Line of the file, counted from 1 including the header; “file”: the whole file</source>
        <translation>文件的行，从 1 计起，含表头；“文件”：整个文件</translation>
    </message>
    <message>
        <source>Kind of warning; docs/data.md lists them</source>
        <translation>警告的类型；docs/data.md 列出了各种类型</translation>
    </message>
    <message>
        <source>Column the warning refers to</source>
        <translation>警告所涉及的列</translation>
    </message>
    <message>
        <source>Number of occurrences</source>
        <translation>出现次数</translation>
    </message>
    <message>
        <source>What was found and how it was handled</source>
        <translation>发现了什么，以及如何处理</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>black</source>
        <translation>黑色</translation>
    </message>
    <message>
        <source>grey</source>
        <translation>灰色</translation>
    </message>
    <message>
        <source>orange</source>
        <translation>橙色</translation>
    </message>
    <message>
        <source>sky blue</source>
        <translation>天蓝</translation>
    </message>
    <message>
        <source>green</source>
        <translation>绿色</translation>
    </message>
    <message>
        <source>yellow</source>
        <translation>黄色</translation>
    </message>
    <message>
        <source>blue</source>
        <translation>蓝色</translation>
    </message>
    <message>
        <source>vermilion</source>
        <translation>朱红</translation>
    </message>
    <message>
        <source>purple</source>
        <translation>紫色</translation>
    </message>
    <message>
        <source>indigo</source>
        <translation>靛蓝</translation>
    </message>
    <message>
        <source>teal</source>
        <translation>蓝绿</translation>
    </message>
    <message>
        <source>olive</source>
        <translation>橄榄色</translation>
    </message>
    <message>
        <source>sand</source>
        <translation>沙色</translation>
    </message>
    <message>
        <source>rose</source>
        <translation>玫瑰色</translation>
    </message>
    <message>
        <source>wine</source>
        <translation>酒红</translation>
    </message>
    <message>
        <source>reading %1</source>
        <translation>读取 %1</translation>
    </message>
    <message>
        <source>importing %1</source>
        <translation>导入 %1</translation>
    </message>
    <message>
        <source>parsing %1</source>
        <translation>解析 %1</translation>
    </message>
    <message>
        <source>downloading %1</source>
        <translation>下载 %1</translation>
    </message>
    <message>
        <source>evaluating %1</source>
        <translation>评估%1</translation>
    </message>
    <message>
        <source>repeating %1</source>
        <translation>重算%1</translation>
    </message>
    <message>
        <source>embedding %1</source>
        <translation>计算%1的嵌入</translation>
    </message>
    <message>
        <source>validating</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>evaluating</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>finished early</source>
        <translation>提前结束</translation>
    </message>
    <message>
        <source>val</source>
        <translation>验证集</translation>
    </message>
    <message>
        <source>finishing early</source>
        <translation>正在提前结束</translation>
    </message>
    <message>
        <source>mean rank</source>
        <translation>平均名次</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证集</translation>
    </message>
    <message>
        <source>waiting for other work</source>
        <translation>正在等待其他任务</translation>
    </message>
    <message>
        <source>reading stored embeddings</source>
        <translation>读取已存储的嵌入</translation>
    </message>
    <message>
        <source>reading the weights</source>
        <translation>读取权重</translation>
    </message>
    <message>
        <source>storing in the run</source>
        <translation>存入运行</translation>
    </message>
    <message>
        <source>storing the layout in the run</source>
        <translation>将布局存入运行</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Backbone</source>
        <translation>骨干网络</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Retrieval of anchors</source>
        <translation>锚点检索</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Reading a CSV file</source>
        <translation>读取 CSV 文件</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name of the experiment and of its folder; empty: the file&apos;s name without .toml</source>
        <translation>实验及其文件夹的名称；空：不含 .toml 的文件名</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Preset whose values apply unless given here (--list-presets); empty: none</source>
        <translation>预设；未在此给出的值取自预设（--list-presets）；空：无</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>CSV file, folder of M4&apos;s files, or catalog:NAME of a known data set</source>
        <translation>CSV 文件、M4 文件的文件夹，或已知数据集的 catalog:NAME</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>划分</translation>
    </message>
    <message>
        <source>Lookback</source>
        <translation>回看窗口</translation>
    </message>
    <message>
        <source>Look-back: length of the input window (τ in the paper&apos;s appendix)</source>
        <translation>回看窗口：输入窗口的长度（论文附录中的 τ）</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Horizon</source>
        <translation>预测步长</translation>
    </message>
    <message>
        <source>Horizon: length of the forecast</source>
        <translation>预测步长：预测的长度</translation>
    </message>
    <message>
        <source>Percent</source>
        <translation>百分比</translation>
    </message>
    <message>
        <source>Percentage of the training rows used, oldest first (few-shot: 10)</source>
        <translation>使用的训练行的百分比，最早的优先（少样本：10）</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>Batching</source>
        <translation>组批方式</translation>
    </message>
    <message>
        <source>Batch item; auto: the catalogue&apos;s rule, else single-channel windows above 32 channels</source>
        <translation>批次的组成单位；auto：目录中的规则，否则超过 32 个通道时用单通道窗口</translation>
    </message>
    <message>
        <source>Treatment of missing values and sentinels; keep: the paper&apos;s behaviour</source>
        <translation>缺失值和哨兵值的处理；keep：论文的做法</translation>
    </message>
    <message>
        <source>Sentinels</source>
        <translation>哨兵值</translation>
    </message>
    <message>
        <source>Values that count as missing, e.g. [-9999]</source>
        <translation>视为缺失的值，例如 [-9999]</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Channels to use, by name; []: all</source>
        <translation>使用的通道，按名称；[]：全部</translation>
    </message>
    <message>
        <source>Frequency</source>
        <translation>频率</translation>
    </message>
    <message>
        <source>Collections of series: their frequency in M4; empty: from the files</source>
        <translation>序列集合：其在 M4 中的频率；空：由文件得出</translation>
    </message>
    <message>
        <source>M4 stopping</source>
        <translation>M4 早停</translation>
    </message>
    <message>
        <source>Collections of series: values that early stopping watches; holdout: the last H training values; paper: the test values, as the public code (marked in every table)</source>
        <translation>序列集合：早停所监测的值；holdout：最后 H 个训练值；paper：测试值，与公开代码相同（在每个表格中注明）</translation>
    </message>
    <message>
        <source>Delimiter between cells; space: one or more spaces</source>
        <translation>单元格之间的分隔符；space：一个或多个空格</translation>
    </message>
    <message>
        <source>Decimal</source>
        <translation>小数分隔符</translation>
    </message>
    <message>
        <source>Quote</source>
        <translation>引号</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>表头</translation>
    </message>
    <message>
        <source>Character encoding of the file</source>
        <translation>文件的字符编码</translation>
    </message>
    <message>
        <source>Clock column</source>
        <translation>时刻列</translation>
    </message>
    <message>
        <source>Name of the column with the time of day, if it is separate from the date in time_column</source>
        <translation>时刻所在列的名称（如果与 time_column 中的日期分开）</translation>
    </message>
    <message>
        <source>GPT-2 weights: catalog:gpt2, a .safetensors file or its folder, or untrained</source>
        <translation>GPT-2 权重：catalog:gpt2、.safetensors 文件或其文件夹，或 untrained</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Number of transformer blocks, counted from the input</source>
        <translation>Transformer 块的数量，从输入端计起</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Embedding width</source>
        <translation>嵌入宽度</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>Number of attention heads; must divide the width</source>
        <translation>注意力头的数量；须整除宽度</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Vocabulary size (rows of the token embedding)</source>
        <translation>词表大小（词元嵌入的行数）</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置数</translation>
    </message>
    <message>
        <source>Maximum number of positions (rows of the position embedding)</source>
        <translation>最大位置数（位置嵌入的行数）</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>随机失活</translation>
    </message>
    <message>
        <source>Dropout probability of embedding, attention and residuals</source>
        <translation>嵌入、注意力和残差连接的随机失活概率</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Seed of an untrained backbone</source>
        <translation>未训练骨干网络的随机种子</translation>
    </message>
    <message>
        <source>Model to train; --list-models describes them</source>
        <translation>要训练的模型；--list-models 说明各模型</translation>
    </message>
    <message>
        <source>Patch length</source>
        <translation>片段长度</translation>
    </message>
    <message>
        <source>Patch stride</source>
        <translation>片段步幅</translation>
    </message>
    <message>
        <source>Patch stride (s in the paper&apos;s appendix)</source>
        <translation>片段步幅（论文附录中的 s）</translation>
    </message>
    <message>
        <source>Trend length</source>
        <translation>趋势长度</translation>
    </message>
    <message>
        <source>Trend: length of the centred moving average</source>
        <translation>趋势：中心移动平均的长度</translation>
    </message>
    <message>
        <source>Seasonal length</source>
        <translation>季节长度</translation>
    </message>
    <message>
        <source>Seasonal component: period of the seasonal means</source>
        <translation>季节分量：季节均值的周期</translation>
    </message>
    <message>
        <source>Pool size</source>
        <translation>锚点池大小</translation>
    </message>
    <message>
        <source>Number of anchors in the pool</source>
        <translation>池中锚点的数量</translation>
    </message>
    <message>
        <source>Top k</source>
        <translation>Top k</translation>
    </message>
    <message>
        <source>Number of anchors retrieved per window as prompt</source>
        <translation>每个窗口作为提示检索的锚点数</translation>
    </message>
    <message>
        <source>Head ways</source>
        <translation>预测头分份</translation>
    </message>
    <message>
        <source>Number of equal parts that the forecast head&apos;s input is split into and summed over</source>
        <translation>将预测头的输入等分并求和的份数</translation>
    </message>
    <message>
        <source>Decomposition</source>
        <translation>分解</translation>
    </message>
    <message>
        <source>Decompose windows into trend, seasonal part and residual</source>
        <translation>将窗口分解为趋势、季节分量和残差</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Retrieve anchors as prompt (off: the ablation without prompt, alignment and coverage)</source>
        <translation>检索锚点作为提示（关闭：无提示、对齐和覆盖的消融）</translation>
    </message>
    <message>
        <source>Instance norm affine</source>
        <translation>实例归一化仿射</translation>
    </message>
    <message>
        <source>Trainable scale and shift in the instance normalisation</source>
        <translation>实例归一化中的可训练缩放和平移</translation>
    </message>
    <message>
        <source>Anchors</source>
        <translation>锚点</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Rule that retrieves K anchors by similarity; mmr: maximal marginal relevance</source>
        <translation>按相似度检索 K 个锚点的规则；mmr：最大边际相关性</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>Weight of similarity in mmr; 1 − α weighs the largest cosine to anchors already retrieved</source>
        <translation>mmr 中相似度的权重；1 − α 为与已检索锚点的最大余弦的权重</translation>
    </message>
    <message>
        <source>Enabled</source>
        <translation>启用</translation>
    </message>
    <message>
        <source>Track the coverage statistic, compute the coverage loss</source>
        <translation>跟踪覆盖统计量，计算覆盖损失</translation>
    </message>
    <message>
        <source>Decay</source>
        <translation>衰减</translation>
    </message>
    <message>
        <source>Decay of the coverage statistic (exponential moving average)</source>
        <translation>覆盖统计量（指数移动平均）的衰减</translation>
    </message>
    <message>
        <source>Warmup</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Training steps over which the decay rises linearly from 0 to β; 0: β from the start</source>
        <translation>衰减从 0 线性升至 β 的训练步数；0：从一开始即为 β</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>损失项</translation>
    </message>
    <message>
        <source>Loss that λ_cov weighs: L_cov, or the usage&apos;s negative entropy, KL to uniform, Switch balancing</source>
        <translation>λ_cov 所加权的损失：L_cov，或使用次数的负熵、相对均匀分布的 KL、Switch 均衡</translation>
    </message>
    <message>
        <source>Lambda sim</source>
        <translation>λ_sim</translation>
    </message>
    <message>
        <source>Weight of the similarity loss</source>
        <translation>相似度损失的权重</translation>
    </message>
    <message>
        <source>Lambda cov</source>
        <translation>λ_cov</translation>
    </message>
    <message>
        <source>Weight of the coverage loss (coverage.term); 0: computed and logged, without effect on training</source>
        <translation>覆盖损失（coverage.term）的权重；0：计算并记录，但不影响训练</translation>
    </message>
    <message>
        <source>Forecast loss that training minimises; smape: without gradient through its denominator (M4)</source>
        <translation>训练所最小化的预测损失；smape：其分母不传梯度（M4）</translation>
    </message>
    <message>
        <source>Maximum number of epochs</source>
        <translation>最大轮次数</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>Max steps</source>
        <translation>最大步数</translation>
    </message>
    <message>
        <source>Maximum number of training steps; 0: no limit</source>
        <translation>最大训练步数；0：无限制</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Batch size in windows (single-channel windows with single-channel batching)</source>
        <translation>以窗口计的批大小（单通道组批时为单通道窗口）</translation>
    </message>
    <message>
        <source>windows</source>
        <translation>个窗口</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Initial learning rate of the optimiser; one-cycle: the highest</source>
        <translation>优化器的初始学习率；one-cycle：最高学习率</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>学习率调度</translation>
    </message>
    <message>
        <source>Learning-rate schedule; from the third epoch on ×0.9 (exponential) or ×0.5 (halving) per epoch; cosine: per epoch to 1e-8; one-cycle: per step up from 1/25, then down</source>
        <translation>学习率调度；从第三轮起每轮 ×0.9 (exponential) 或 ×0.5 (halving)；cosine：逐轮降至 1e-8；one-cycle：逐步从 1/25 升高，然后下降</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Weight decay of AdamW; adam: added to the gradient (L2 penalty)</source>
        <translation>AdamW 的权重衰减；adam：加到梯度上（L2 惩罚）</translation>
    </message>
    <message>
        <source>Patience</source>
        <translation>耐心值</translation>
    </message>
    <message>
        <source>Early-stopping patience: epochs without improvement in validation MSE</source>
        <translation>早停的耐心值：验证 MSE 没有改善的轮次数</translation>
    </message>
    <message>
        <source>Shuffle</source>
        <translation>打乱顺序</translation>
    </message>
    <message>
        <source>Shuffle the training windows in every epoch</source>
        <translation>每轮打乱训练窗口的顺序</translation>
    </message>
    <message>
        <source>Seed of initialisation, window order and dropout</source>
        <translation>初始化、窗口顺序和随机失活的随机种子</translation>
    </message>
    <message>
        <source>Continue from</source>
        <translation>分支来源</translation>
    </message>
    <message>
        <source>Run folder to fork from; empty: not a fork</source>
        <translation>建立分支所依据的运行文件夹；空：不是分支</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Optimiser</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>T max</source>
        <translation>余弦周期</translation>
    </message>
    <message>
        <source>Schedule cosine: epochs until the lowest rate; 0: train.epochs</source>
        <translation>cosine 调度：降至最低学习率的轮次数；0：train.epochs</translation>
    </message>
    <message>
        <source>Pct start</source>
        <translation>上升比例</translation>
    </message>
    <message>
        <source>Schedule one-cycle: fraction of the steps until the highest rate</source>
        <translation>one-cycle 调度：升至最高学习率的步数比例</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Device: auto, cpu, cuda or cuda:N</source>
        <translation>设备：auto、cpu、cuda 或 cuda:N</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备列表</translation>
    </message>
    <message>
        <source>Devices of a batch, one run on each at a time: &quot;cuda:N&quot; or &quot;cpu&quot;, repeated for several runs on one; []: run.device alone</source>
        <translation>批处理的设备，每个设备一次进行一个运行：&quot;cuda:N&quot; 或 &quot;cpu&quot;，重复列出可在一个设备上同时进行多个运行；[]：仅 run.device</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>Number of CPU threads of each process; 0: all</source>
        <translation>每个进程的 CPU 线程数；0：全部</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>个线程</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程数</translation>
    </message>
    <message>
        <source>Number of processes that train one run together (--batch)</source>
        <translation>共同训练一个运行的进程数（--batch）</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>个进程</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>同时训练</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>个运行</translation>
    </message>
    <message>
        <source>Checkpoint seconds</source>
        <translation>检查点间隔</translation>
    </message>
    <message>
        <source>Interval between checkpoints; 0: after every step</source>
        <translation>检查点之间的间隔；0：每步之后</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Snapshot steps</source>
        <translation>快照间隔</translation>
    </message>
    <message>
        <source>Interval between snapshots of anchor usage; 0: once per epoch</source>
        <translation>锚点使用次数快照之间的间隔；0：每轮一次</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁</translation>
    </message>
    <message>
        <source>How a run folder is held by one process; auto: flock, and a lease where several machines may write</source>
        <translation>一个进程如何占有运行文件夹；auto：flock，多台机器都可能写入时用 lease</translation>
    </message>
    <message>
        <source>Lease seconds</source>
        <translation>租约时长</translation>
    </message>
    <message>
        <source>Silence of a lease&apos;s holder after which another process takes over its run</source>
        <translation>租约持有者无响应多久之后，由其他进程接管其运行</translation>
    </message>
    <message>
        <source>Save initial</source>
        <translation>保存初始权重</translation>
    </message>
    <message>
        <source>Write the weights before the first step (initial.safetensors)</source>
        <translation>写入第一步之前的权重（initial.safetensors）</translation>
    </message>
    <message>
        <source>Keep last</source>
        <translation>保留末尾权重</translation>
    </message>
    <message>
        <source>Keep the weights after the last step (last/)</source>
        <translation>保留最后一步之后的权重（last/）</translation>
    </message>
    <message>
        <source>Frozen weights</source>
        <translation>冻结权重</translation>
    </message>
    <message>
        <source>Frozen weights in checkpoints; omit: only if they can be downloaded or regenerated</source>
        <translation>检查点中的冻结权重；omit：仅当它们可以重新下载或生成时省略</translation>
    </message>
    <message>
        <source>Store forecasts</source>
        <translation>存储预测</translation>
    </message>
    <message>
        <source>Splits whose forecasts are stored</source>
        <translation>存储其预测的划分</translation>
    </message>
    <message>
        <source>Store embeddings</source>
        <translation>存储嵌入</translation>
    </message>
    <message>
        <source>Store embeddings of anchors, series and prompts</source>
        <translation>存储锚点、序列和提示的嵌入</translation>
    </message>
    <message>
        <source>Store similarity</source>
        <translation>存储相似度</translation>
    </message>
    <message>
        <source>Store the similarity of windows and anchors</source>
        <translation>存储窗口与锚点的相似度</translation>
    </message>
    <message>
        <source>Name of the job; empty: the experiment&apos;s</source>
        <translation>作业名称；空：实验的名称</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>Partition, or several separated by commas; empty: the cluster&apos;s default</source>
        <translation>一个分区，或以逗号分隔的多个分区；空：集群的默认值</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>账户</translation>
    </message>
    <message>
        <source>Account to charge; empty: the user&apos;s default</source>
        <translation>计费账户；空：用户的默认值</translation>
    </message>
    <message>
        <source>Qos</source>
        <translation>QoS</translation>
    </message>
    <message>
        <source>Quality of service; empty: the cluster&apos;s default</source>
        <translation>服务质量；空：集群的默认值</translation>
    </message>
    <message>
        <source>Time limit of a worker; empty: the partition&apos;s default</source>
        <translation>工作进程的时间限制；空：分区的默认值</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory of a worker; auto: estimated from the experiment</source>
        <translation>工作进程的内存；auto：由实验估计</translation>
    </message>
    <message>
        <source>Gpus</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>GPUs of a worker; -1: those of run.devices, else one if run.device is cuda, else none</source>
        <translation>工作进程的 GPU 数；-1：run.devices 中的 GPU，否则 run.device 为 cuda 时一个，其他情况为零</translation>
    </message>
    <message>
        <source>Cpus</source>
        <translation>CPU 数</translation>
    </message>
    <message>
        <source>Processor cores of a worker; 0: run.threads, or 4</source>
        <translation>工作进程的处理器核心数；0：run.threads，或 4</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作进程数</translation>
    </message>
    <message>
        <source>Number of workers; 0: one for each unfinished run, at most 16</source>
        <translation>工作进程的数量；0：每个未完成的运行一个，最多 16</translation>
    </message>
    <message>
        <source>Signal seconds</source>
        <translation>信号提前量</translation>
    </message>
    <message>
        <source>Seconds before the time limit at which a worker saves a checkpoint and is requeued</source>
        <translation>工作进程在时间限制之前多少秒保存检查点并重新排队</translation>
    </message>
    <message>
        <source>Requeue</source>
        <translation>重新排队</translation>
    </message>
    <message>
        <source>Requeue workers after the time limit, a preemption or the failure of a node</source>
        <translation>在达到时间限制、被抢占或节点故障后使工作进程重新排队</translation>
    </message>
    <message>
        <source>Setup</source>
        <translation>准备命令</translation>
    </message>
    <message>
        <source>Lines of the script before the worker starts, e.g. [&quot;module load cuda&quot;]</source>
        <translation>脚本中工作进程启动前的命令行，例如 [&quot;module load cuda&quot;]</translation>
    </message>
    <message>
        <source>Extra</source>
        <translation>附加选项</translation>
    </message>
    <message>
        <source>Further options of sbatch, e.g. [&quot;--constraint=a100&quot;]</source>
        <translation>sbatch 的其他选项，例如 [&quot;--constraint=a100&quot;]</translation>
    </message>
    <message>
        <source>Autoformer</source>
        <translation>Autoformer</translation>
    </message>
    <message>
        <source>D model</source>
        <translation>模型宽度</translation>
    </message>
    <message>
        <source>Embedding width, a multiple of n_heads</source>
        <translation>嵌入宽度，n_heads 的倍数</translation>
    </message>
    <message>
        <source>N heads</source>
        <translation>注意力头数</translation>
    </message>
    <message>
        <source>Number of attention heads; must divide d_model, otherwise no effect on Autoformer</source>
        <translation>注意力头的数量；须整除 d_model，除此之外对 Autoformer 没有影响</translation>
    </message>
    <message>
        <source>E layers</source>
        <translation>编码器层数</translation>
    </message>
    <message>
        <source>Number of encoder layers</source>
        <translation>编码器层的数量</translation>
    </message>
    <message>
        <source>D layers</source>
        <translation>解码器层数</translation>
    </message>
    <message>
        <source>Number of decoder layers</source>
        <translation>解码器层的数量</translation>
    </message>
    <message>
        <source>D ff</source>
        <translation>前馈宽度</translation>
    </message>
    <message>
        <source>Width of the feed-forward layers</source>
        <translation>前馈层的宽度</translation>
    </message>
    <message>
        <source>Moving avg</source>
        <translation>移动平均</translation>
    </message>
    <message>
        <source>Kernel size of the moving averages that extract the trend; odd</source>
        <translation>提取趋势的移动平均的核大小；奇数</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>因子</translation>
    </message>
    <message>
        <source>Auto-correlation keeps factor times ln(length) lags</source>
        <translation>自相关保留 factor × ln(长度) 个滞后</translation>
    </message>
    <message>
        <source>Label len</source>
        <translation>起始段长度</translation>
    </message>
    <message>
        <source>Rows of the look-back that the decoder reads before the horizon</source>
        <translation>解码器在预测步长之前读取的回看窗口行数</translation>
    </message>
    <message>
        <source>Dropout probability of embeddings, residuals and feed-forward layers</source>
        <translation>嵌入、残差连接和前馈层的随机失活概率</translation>
    </message>
    <message>
        <source>CALF</source>
        <translation>CALF</translation>
    </message>
    <message>
        <source>R</source>
        <translation>R</translation>
    </message>
    <message>
        <source>Rank of the LoRA updates of the time branch&apos;s attention</source>
        <translation>时间分支注意力的 LoRA 更新的秩</translation>
    </message>
    <message>
        <source>Lora alpha</source>
        <translation>LoRA alpha</translation>
    </message>
    <message>
        <source>Scale of LoRA; updates are multiplied by lora_alpha / r</source>
        <translation>LoRA 的缩放；更新乘以 lora_alpha / r</translation>
    </message>
    <message>
        <source>Lora dropout</source>
        <translation>LoRA 随机失活</translation>
    </message>
    <message>
        <source>Dropout of the input of the LoRA updates</source>
        <translation>LoRA 更新输入的随机失活</translation>
    </message>
    <message>
        <source>Task w</source>
        <translation>任务损失权重</translation>
    </message>
    <message>
        <source>Weight of the task loss between forecast and target</source>
        <translation>预测与目标之间的任务损失的权重</translation>
    </message>
    <message>
        <source>Feature w</source>
        <translation>特征损失权重</translation>
    </message>
    <message>
        <source>Weight of the feature loss between hidden states of both branches; 0: left out</source>
        <translation>两分支隐藏状态之间的特征损失的权重；0：省略</translation>
    </message>
    <message>
        <source>Output w</source>
        <translation>输出损失权重</translation>
    </message>
    <message>
        <source>Weight of the output loss between forecasts of both branches; 0: left out</source>
        <translation>两分支预测之间的输出损失的权重；0：省略</translation>
    </message>
    <message>
        <source>Task loss</source>
        <translation>任务损失</translation>
    </message>
    <message>
        <source>Distance of the task loss; smooth_l1: squared below 1; smape, mase: as the public code for M4</source>
        <translation>任务损失的距离；smooth_l1：小于 1 时取平方；smape、mase：与 M4 的公开代码相同</translation>
    </message>
    <message>
        <source>Feature loss</source>
        <translation>特征损失</translation>
    </message>
    <message>
        <source>Distance of the feature loss</source>
        <translation>特征损失的距离</translation>
    </message>
    <message>
        <source>Output loss</source>
        <translation>输出损失</translation>
    </message>
    <message>
        <source>Distance of the output loss; mase: relative to the seasonal naive error in the look-back</source>
        <translation>输出损失的距离；mase：相对于回看窗口中的季节性朴素误差</translation>
    </message>
    <message>
        <source>DLinear</source>
        <translation>DLinear</translation>
    </message>
    <message>
        <source>Kernel size of the moving average that extracts the trend; odd</source>
        <translation>提取趋势的移动平均的核大小；奇数</translation>
    </message>
    <message>
        <source>Individual</source>
        <translation>逐通道独立</translation>
    </message>
    <message>
        <source>Separate linear layers for each channel</source>
        <translation>每个通道使用单独的线性层</translation>
    </message>
    <message>
        <source>FEDformer</source>
        <translation>FEDformer</translation>
    </message>
    <message>
        <source>Embedding width; the number of heads must divide it</source>
        <translation>嵌入宽度；须能被注意力头的数量整除</translation>
    </message>
    <message>
        <source>Number of attention heads</source>
        <translation>注意力头的数量</translation>
    </message>
    <message>
        <source>Modes</source>
        <translation>频率数</translation>
    </message>
    <message>
        <source>Maximum number of frequencies that each Fourier block keeps</source>
        <translation>每个傅里叶块最多保留的频率数</translation>
    </message>
    <message>
        <source>Mode select</source>
        <translation>频率选取</translation>
    </message>
    <message>
        <source>Frequencies of the Fourier blocks: drawn with train.seed, or the lowest</source>
        <translation>傅里叶块的频率：用 train.seed 随机抽取，或取最低的频率</translation>
    </message>
    <message>
        <source>Imported forecasts</source>
        <translation>导入的预测</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Name of the forecasts in tables and legends</source>
        <translation>预测在表格和图例中的名称</translation>
    </message>
    <message>
        <source>iTransformer</source>
        <translation>iTransformer</translation>
    </message>
    <message>
        <source>Number of attention heads; must divide d_model</source>
        <translation>注意力头的数量；须整除 d_model</translation>
    </message>
    <message>
        <source>Width inside the feed-forward networks</source>
        <translation>前馈网络内部的宽度</translation>
    </message>
    <message>
        <source>OFA</source>
        <translation>OFA</translation>
    </message>
    <message>
        <source>Patch size</source>
        <translation>片段大小</translation>
    </message>
    <message>
        <source>Stride</source>
        <translation>步幅</translation>
    </message>
    <message>
        <source>Patch stride; the public scripts use 16 on ETTm1 and ETTm2</source>
        <translation>片段步幅；公开脚本在 ETTm1 和 ETTm2 上用 16</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Tokens of the backbone: patches, or single time steps (the public code&apos;s network for M4)</source>
        <translation>骨干网络的词元：片段，或单个时间步（公开代码用于 M4 的网络）</translation>
    </message>
    <message>
        <source>Width of the embedding of points (at most the backbone&apos;s)</source>
        <translation>时间点嵌入的宽度（不超过骨干网络的宽度）</translation>
    </message>
    <message>
        <source>Number of hidden channels that the forecast reads with points (at most the backbone&apos;s)</source>
        <translation>以时间点为词元时预测所读取的隐藏通道数（不超过骨干网络的宽度）</translation>
    </message>
    <message>
        <source>PatchTST</source>
        <translation>PatchTST</translation>
    </message>
    <message>
        <source>Patch len</source>
        <translation>片段长度</translation>
    </message>
    <message>
        <source>Dropout probability of embedding, attention, residuals and forecast</source>
        <translation>嵌入、注意力、残差连接和预测的随机失活概率</translation>
    </message>
    <message>
        <source>Ridge regression</source>
        <translation>岭回归</translation>
    </message>
    <message>
        <source>Penalty on the squared weights; 0: chosen by validation MSE from n·10^k, k = -6 to 1, of n rows</source>
        <translation>对权重平方的惩罚；0：由验证 MSE 从 n·10^k 中选取，k = -6 至 1，n 为行数</translation>
    </message>
    <message>
        <source>TEMPO</source>
        <translation>TEMPO</translation>
    </message>
    <message>
        <source>Kernel size of the moving average that the trend is computed from; odd</source>
        <translation>用于计算趋势的移动平均的核大小；奇数</translation>
    </message>
    <message>
        <source>Rank of the LoRA updates of the backbone&apos;s attention</source>
        <translation>骨干网络注意力的 LoRA 更新的秩</translation>
    </message>
    <message>
        <source>Put a prompt before the patches of trend, season and residual: a sentence, or anchors of the pool</source>
        <translation>在趋势、季节和残差的片段之前加提示：一个句子，或池中的锚点</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>Retrieve the prompts from a pool of anchors instead of reading sentences</source>
        <translation>从锚点池中检索提示，而不是读取句子</translation>
    </message>
    <message>
        <source>Number of anchors retrieved for each of trend, season and residual</source>
        <translation>为趋势、季节和残差各检索的锚点数</translation>
    </message>
    <message>
        <source>Prompt len</source>
        <translation>提示长度</translation>
    </message>
    <message>
        <source>Tokens of an anchor&apos;s prompt</source>
        <translation>一个锚点的提示的词元数</translation>
    </message>
    <message>
        <source>Use token</source>
        <translation>使用提示词元</translation>
    </message>
    <message>
        <source>The forecast heads read the outputs at the prompt&apos;s tokens, too</source>
        <translation>预测头也读取提示词元处的输出</translation>
    </message>
    <message>
        <source>Time-LLM</source>
        <translation>Time-LLM</translation>
    </message>
    <message>
        <source>Width of the patch embedding</source>
        <translation>片段嵌入的宽度</translation>
    </message>
    <message>
        <source>Number of heads of the reprogramming attention</source>
        <translation>重编程注意力的头数</translation>
    </message>
    <message>
        <source>Width of a head, and number of hidden channels read by the forecast head (at most the backbone&apos;s)</source>
        <translation>一个头的宽度，也是预测头读取的隐藏通道数（不超过骨干网络的宽度）</translation>
    </message>
    <message>
        <source>Dropout probability of patch embedding, reprogramming attention and forecast</source>
        <translation>片段嵌入、重编程注意力和预测的随机失活概率</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>Sentence about the data set in the prompt; empty: the catalogue&apos;s title, or a neutral sentence</source>
        <translation>提示中关于数据集的句子；空：目录中的标题，或中性的句子</translation>
    </message>
    <message>
        <source>Cosine similarity</source>
        <translation>余弦相似度</translation>
    </message>
    <message>
        <source>Nearest tokens</source>
        <translation>最近词元</translation>
    </message>
    <message>
        <source>Finding neighbours</source>
        <translation>查找近邻</translation>
    </message>
    <message>
        <source>Principal components</source>
        <translation>主成分</translation>
    </message>
    <message>
        <source>Comparing anchors</source>
        <translation>比较锚点</translation>
    </message>
    <message>
        <source>Distribution of scores</source>
        <translation>得分分布</translation>
    </message>
    <message>
        <source>Comparing strata</source>
        <translation>比较分层</translation>
    </message>
    <message>
        <source>Labelling windows</source>
        <translation>标注窗口</translation>
    </message>
    <message>
        <source>Computing errors</source>
        <translation>计算误差</translation>
    </message>
    <message>
        <source>Matching windows</source>
        <translation>匹配窗口</translation>
    </message>
    <message>
        <source>verifying</source>
        <translation>核对</translation>
    </message>
    <message>
        <source>forecasting</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>exporting forecasts</source>
        <translation>导出预测</translation>
    </message>
    <message>
        <source>reading the backbone</source>
        <translation>读取骨干网络</translation>
    </message>
    <message>
        <source>reading runs</source>
        <translation>读取运行</translation>
    </message>
    <message>
        <source>copying runs</source>
        <translation>复制运行</translation>
    </message>
    <message>
        <source>unpacking</source>
        <translation>解包</translation>
    </message>
    <message>
        <source>fitting</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>copying</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Electricity transformer temperature, station 1, hourly</source>
        <translation>变压器油温，1 号站，每小时</translation>
    </message>
    <message>
        <source>Electricity transformer temperature, station 2, hourly</source>
        <translation>变压器油温，2 号站，每小时</translation>
    </message>
    <message>
        <source>Electricity transformer temperature, station 1, every 15 minutes</source>
        <translation>变压器油温，1 号站，每 15 分钟</translation>
    </message>
    <message>
        <source>Electricity transformer temperature, station 2, every 15 minutes</source>
        <translation>变压器油温，2 号站，每 15 分钟</translation>
    </message>
    <message>
        <source>Weather station of the Max Planck Institute for Biogeochemistry, Jena, 2020, every 10 minutes</source>
        <translation>马克斯·普朗克生物地球化学研究所气象站，耶拿，2020 年，每 10 分钟</translation>
    </message>
    <message>
        <source>weather.csv of the Autoformer benchmark. 81 values are -9999 (OT 50, max. PAR 30, wv 1), all in training rows; published results keep them.</source>
        <translation>Autoformer 基准的 weather.csv。81 个值为 -9999（OT 50 个，max. PAR 30 个，wv 1 个），均在训练行中；已发表的结果保留了这些值。</translation>
    </message>
    <message>
        <source>Electricity consumption of 321 clients in Portugal, 2012 to 2014, hourly</source>
        <translation>葡萄牙 321 个用户的用电量，2012 至 2014 年，每小时</translation>
    </message>
    <message>
        <source>electricity.csv of the Autoformer benchmark.</source>
        <translation>Autoformer 基准的 electricity.csv。</translation>
    </message>
    <message>
        <source>Road occupancy at 862 sensors of the San Francisco Bay area, 2016 to 2018, hourly</source>
        <translation>旧金山湾区 862 个传感器处的道路占用率，2016 至 2018 年，每小时</translation>
    </message>
    <message>
        <source>traffic.csv of the Autoformer benchmark.</source>
        <translation>Autoformer 基准的 traffic.csv。</translation>
    </message>
    <message>
        <source>M4 competition, Yearly series</source>
        <translation>M4 竞赛，Yearly 序列（年）</translation>
    </message>
    <message>
        <source>Test values of M4-Yearly</source>
        <translation>M4-Yearly 的测试值</translation>
    </message>
    <message>
        <source>M4 competition, Quarterly series</source>
        <translation>M4 竞赛，Quarterly 序列（季）</translation>
    </message>
    <message>
        <source>Test values of M4-Quarterly</source>
        <translation>M4-Quarterly 的测试值</translation>
    </message>
    <message>
        <source>M4 competition, Monthly series</source>
        <translation>M4 竞赛，Monthly 序列（月）</translation>
    </message>
    <message>
        <source>Test values of M4-Monthly</source>
        <translation>M4-Monthly 的测试值</translation>
    </message>
    <message>
        <source>M4 competition, Weekly series</source>
        <translation>M4 竞赛，Weekly 序列（周）</translation>
    </message>
    <message>
        <source>Test values of M4-Weekly</source>
        <translation>M4-Weekly 的测试值</translation>
    </message>
    <message>
        <source>M4 competition, Daily series</source>
        <translation>M4 竞赛，Daily 序列（日）</translation>
    </message>
    <message>
        <source>Test values of M4-Daily</source>
        <translation>M4-Daily 的测试值</translation>
    </message>
    <message>
        <source>M4 competition, Hourly series</source>
        <translation>M4 竞赛，Hourly 序列（小时）</translation>
    </message>
    <message>
        <source>Test values of M4-Hourly</source>
        <translation>M4-Hourly 的测试值</translation>
    </message>
    <message>
        <source>GPT-2 small of OpenAI: 12 blocks, width 768</source>
        <translation>OpenAI 的 GPT-2 small：12 个块，宽度 768</translation>
    </message>
    <message>
        <source>The digest of the whole file is not recorded; what was loaded is recognised by the SHA-256 of each tensor.</source>
        <translation>没有记录整个文件的校验和；已加载的内容由每个张量的 SHA-256 识别。</translation>
    </message>
    <message>
        <source>The words of GPT-2&apos;s tokens, for the anchor inspector and Time-LLM&apos;s prompts</source>
        <translation>GPT-2 词元的词，用于锚点检查器和 Time-LLM 的提示</translation>
    </message>
    <message>
        <source>Long-term forecasting: test MSE and MAE of eight models at look-back 512</source>
        <translation>长期预测：回看窗口 512 下八个模型的测试 MSE 和 MAE</translation>
    </message>
    <message>
        <source>Coverage weight on the primary cells: usage entropy, key cosine and test MSE</source>
        <translation>主要任务上的覆盖权重：使用熵、键余弦和测试 MSE</translation>
    </message>
    <message>
        <source>Ablation of prompt alignment (P+A) and decomposition (D): test MSE</source>
        <translation>提示对齐（P+A）和分解（D）的消融：测试 MSE</translation>
    </message>
    <message>
        <source>Replacement of the retrieved anchors: test MSE</source>
        <translation>替换检索到的锚点：测试 MSE</translation>
    </message>
    <message>
        <source>Coverage crossed with decomposition at ETTh1-96: test MSE, eight paired seeds</source>
        <translation>ETTh1-96 上覆盖与分解的交叉：测试 MSE，八个配对的随机种子</translation>
    </message>
    <message>
        <source>Retrieval by maximal marginal relevance (MMR) against top-K retrieval, both without a coverage loss</source>
        <translation>最大边际相关性（MMR）检索与 top-K 检索的对比，均无覆盖损失</translation>
    </message>
    <message>
        <source>Long-term forecasting: average over the four horizons</source>
        <translation>长期预测：四个预测步长的平均</translation>
    </message>
    <message>
        <source>Short-term forecasting on M4</source>
        <translation>M4 上的短期预测</translation>
    </message>
    <message>
        <source>Few-shot forecasting: 10 % of the training rows</source>
        <translation>少样本预测：训练行的 10 %</translation>
    </message>
    <message>
        <source>Prompt length K and pool size V&apos;: test MSE</source>
        <translation>提示长度 K 和锚点池大小 V&apos;：测试 MSE</translation>
    </message>
    <message>
        <source>Variance ratio of the first two principal components at ETTh1-96</source>
        <translation>ETTh1-96 上前两个主成分的方差比</translation>
    </message>
    <message>
        <source>Paired comparison with λ_cov = 0: test MSE, three seeds</source>
        <translation>与 λ_cov = 0 的配对比较：测试 MSE，三个随机种子</translation>
    </message>
    <message>
        <source>Eight-seed paired tests on the primary cells: test MSE</source>
        <translation>主要任务上八个随机种子的配对检验：测试 MSE</translation>
    </message>
    <message>
        <source>Paired comparison with λ_cov = 0 in strata of the look-back&apos;s residual</source>
        <translation>按回看窗口残差分层，与 λ_cov = 0 的配对比较</translation>
    </message>
    <message>
        <source>Other objectives in place of the coverage term: usage entropy and test MSE</source>
        <translation>以其他目标代替覆盖项：使用熵和测试 MSE</translation>
    </message>
    <message>
        <source>Overlap of the retrieved anchors with and without coverage</source>
        <translation>有覆盖与无覆盖时检索到的锚点的重叠</translation>
    </message>
    <message>
        <source>cosine map</source>
        <translation>余弦图</translation>
    </message>
    <message>
        <source>the embeddings are not all finite</source>
        <translation>嵌入不全是有限数</translation>
    </message>
    <message>
        <source>The weights of this run are damaged or its training diverged.</source>
        <translation>此运行的权重已损坏，或其训练已发散。</translation>
    </message>
    <message>
        <source>the backbone&apos;s token table is neither in best.safetensors nor at %1</source>
        <translation>骨干网络的词元表既不在 best.safetensors 中，也不在 %1</translation>
    </message>
    <message>
        <source>Runs on an untrained backbone keep it with run.frozen_weights = &quot;include&quot;.</source>
        <translation>使用未训练骨干网络的运行，需设 run.frozen_weights = &quot;include&quot; 才会保留它。</translation>
    </message>
    <message>
        <source>Fetch GPT-2 with caspstudio --fetch gpt2, or restore the checkpoint.</source>
        <translation>请用 caspstudio --fetch gpt2 获取 GPT-2，或恢复检查点。</translation>
    </message>
    <message>
        <source>the token table has shape %1</source>
        <translation>词元表的形状为 %1</translation>
    </message>
    <message>
        <source>The backbone of this run is untrained: its tokens carry no meaning.</source>
        <translation>此运行的骨干网络未训练：其词元没有含义。</translation>
    </message>
    <message>
        <source>%1 has %2 tokens, the backbone&apos;s table has %3: it may belong to another model.</source>
        <translation>%1 有 %2 个词元，骨干网络的表有 %3 个：它可能属于另一个模型。</translation>
    </message>
    <message>
        <source>Nearest neighbours</source>
        <translation>最近邻</translation>
    </message>
    <message>
        <source>the values are not all finite numbers within 1e15</source>
        <translation>值不全是绝对值不超过 1e15 的有限数</translation>
    </message>
    <message>
        <source>the values are not all finite</source>
        <translation>值不全是有限数</translation>
    </message>
    <message>
        <source>similarity scores</source>
        <translation>相似度得分</translation>
    </message>
    <message>
        <source>no similarities available</source>
        <translation>没有可用的相似度</translation>
    </message>
    <message>
        <source>one or more</source>
        <translation>一个或多个</translation>
    </message>
    <message>
        <source>Request the similarities.</source>
        <translation>请将相似度加入请求。</translation>
    </message>
    <message>
        <source>Request the same split, windows and channels for both runs.</source>
        <translation>请为两个运行请求相同的划分、窗口和通道。</translation>
    </message>
    <message>
        <source>difference of two runs</source>
        <translation>两个运行的差异</translation>
    </message>
    <message>
        <source>their channels differ (%1 and %2)</source>
        <translation>其通道不同（%1 和 %2）</translation>
    </message>
    <message>
        <source>one has %1 windows, the other %2</source>
        <translation>一个有 %1 个窗口，另一个有 %2 个</translation>
    </message>
    <message>
        <source>the same windows</source>
        <translation>相同的窗口</translation>
    </message>
    <message>
        <source>window %1 begins at row %2 in one and at row %3 in the other</source>
        <translation>窗口 %1 在一个中始于第 %2 行，在另一个中始于第 %3 行</translation>
    </message>
    <message>
        <source>there are no errors to compare</source>
        <translation>没有可比较的误差</translation>
    </message>
    <message>
        <source>Request the errors of both runs.</source>
        <translation>请将两个运行的误差加入请求。</translation>
    </message>
    <message>
        <source>all %1 windows have %2</source>
        <translation>全部 %1 个窗口同属一组：%2</translation>
    </message>
    <message>
        <source>two groups</source>
        <translation>两组</translation>
    </message>
    <message>
        <source>Choose another label, or for trend changes another penalty.</source>
        <translation>请选择其他标签；对趋势变化也可选择其他惩罚。</translation>
    </message>
    <message>
        <source>difficulty strata</source>
        <translation>难度分层</translation>
    </message>
    <message>
        <source>there are %1 windows</source>
        <translation>有 %1 个窗口</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>Request more windows.</source>
        <translation>请增加所请求的窗口。</translation>
    </message>
    <message>
        <source>the residual of window %1 is not finite</source>
        <translation>窗口 %1 的残差不是有限数</translation>
    </message>
    <message>
        <source>the label of window %1 is not finite</source>
        <translation>窗口 %1 的标签不是有限数</translation>
    </message>
    <message>
        <source>strata have no %1 &quot;%2&quot;</source>
        <translation>分层没有 %1 &quot;%2&quot;</translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation>您是否想输入 %1？</translation>
    </message>
    <message>
        <source>the label %1 has no penalty</source>
        <translation>标签 %1 没有惩罚</translation>
    </message>
    <message>
        <source>value %1 of point %2 is not a number</source>
        <translation>第 %2 个点的第 %1 个值不是数字</translation>
    </message>
    <message>
        <source>value %1 of point %2 is infinite</source>
        <translation>第 %2 个点的第 %1 个值为无穷大</translation>
    </message>
    <message>
        <source>finite numbers</source>
        <translation>有限数</translation>
    </message>
    <message>
        <source>the layout is no longer finite at iteration %1</source>
        <translation>在第 %1 次迭代时，布局不再是有限数</translation>
    </message>
    <message>
        <source>Choose a lower learning rate, or 0 for the automatic one.</source>
        <translation>请选择更低的学习率，或选择 0 以自动确定。</translation>
    </message>
    <message>
        <source>channel %1 is no column of %2</source>
        <translation>通道 %1 不是 %2 的列</translation>
    </message>
    <message>
        <source>%1 of %2 channels is missing: %3</source>
        <translation>缺少 %2 个通道中的 %1 个：%3</translation>
    </message>
    <message>
        <source>%1 of %2 channels are missing: %3</source>
        <translation>缺少 %2 个通道中的 %1 个：%3</translation>
    </message>
    <message>
        <source>the order of the channels is %1</source>
        <translation>通道的顺序为 %1</translation>
    </message>
    <message>
        <source>the channels named %1 have the values of %2</source>
        <translation>名为 %1 的通道具有 %2 的值</translation>
    </message>
    <message>
        <source>%1 channel of the arrays is no column of the data set (%2)</source>
        <translation>数组的 %1 个通道不是数据集的列（%2）</translation>
    </message>
    <message>
        <source>%1 channels of the arrays are no column of the data set (%2)</source>
        <translation>数组的 %1 个通道不是数据集的列（%2）</translation>
    </message>
    <message>
        <source>the values are in original units, not scaled with the training rows&apos; mean and standard deviation</source>
        <translation>值为原始单位，没有用训练行的均值和标准差标准化</translation>
    </message>
    <message>
        <source>scaled with %1: subtracted and divided by %2 in %3 (training rows: %4)</source>
        <translation>用%1标准化：%3 中所减的值和除数为 %2（训练行：%4）</translation>
    </message>
    <message>
        <source>%1 value is not finite, %2</source>
        <translation>%1 个值不是有限数，%2</translation>
    </message>
    <message>
        <source>%1 values are not finite, %2</source>
        <translation>%1 个值不是有限数，%2</translation>
    </message>
    <message>
        <source>There are no truths (true.npy): order, split and exact scaling of the windows could not be checked.</source>
        <translation>没有真实值（true.npy）：无法检查窗口的顺序、划分和确切的标准化。</translation>
    </message>
    <message>
        <source>no window of true that was tried is a sequence of rows of %1, up to a shift and a factor per channel</source>
        <translation>数组 true 中试过的窗口都不是 %1 的连续行，即使允许每个通道有偏移和倍数</translation>
    </message>
    <message>
        <source>the arrays have %1 steps, and data.horizon is %2 (if %3 is intended: --set data.horizon=%4)</source>
        <translation>数组有 %1 个预测步，而 data.horizon 为 %2（若确应为 %3：--set data.horizon=%4）</translation>
    </message>
    <message>
        <source>the %1 windows are those of the test split, in order, scaled with the training rows&apos; mean and standard deviation</source>
        <translation>%1 个窗口即测试集的窗口，顺序一致，并用训练行的均值和标准差标准化</translation>
    </message>
    <message>
        <source>MSE %1, MAE %2</source>
        <translation>MSE %1，MAE %2</translation>
    </message>
    <message>
        <source>As stored, over all %1 windows: %2.</source>
        <translation>按存储的值，在全部 %1 个窗口上：%2。</translation>
    </message>
    <message>
        <source>Over the %1 of %2 test windows that are there, scaled as our runs: %3.</source>
        <translation>在 %2 个测试窗口中存在的 %1 个上，标准化与本程序的运行相同：%3。</translation>
    </message>
    <message>
        <source>%1, line %2, shows %3: %4</source>
        <translation>%1 第 %2 行显示“%3”：%4</translation>
    </message>
    <message>
        <source>an audit.json as --import writes it</source>
        <translation>由 --import 写出的 audit.json</translation>
    </message>
    <message>
        <source>Import the forecasts again.</source>
        <translation>请重新导入预测。</translation>
    </message>
    <message>
        <source>it is a collection of series</source>
        <translation>它是序列集合</translation>
    </message>
    <message>
        <source>a data set with rows and channels</source>
        <translation>有行和通道的数据集</translation>
    </message>
    <message>
        <source>The forecasts of a collection have no windows to look for.</source>
        <translation>序列集合的预测没有可查找的窗口。</translation>
    </message>
    <message>
        <source>it has no column %1</source>
        <translation>没有 %1 列</translation>
    </message>
    <message>
        <source>Or give a folder with pred.npy and true.npy, or an .npz file.</source>
        <translation>或指定含 pred.npy 和 true.npy 的文件夹，或 .npz 文件。</translation>
    </message>
    <message>
        <source>column %1: %2 is not an index</source>
        <translation>%1 列：%2 不是索引</translation>
    </message>
    <message>
        <source>a whole number from 0 on</source>
        <translation>从 0 起的整数</translation>
    </message>
    <message>
        <source>column %1: %2 is not a number</source>
        <translation>%1 列：%2 不是数字</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>window %1 has no step %2 of channel %3</source>
        <translation>窗口 %1 没有通道 %3 的预测步 %2</translation>
    </message>
    <message>
        <source>every step of every channel in each window</source>
        <translation>每个窗口都有每个通道的每个预测步</translation>
    </message>
    <message>
        <source>a value is missing</source>
        <translation>缺少一个值</translation>
    </message>
    <message>
        <source>it has no row of values</source>
        <translation>没有含值的行</translation>
    </message>
    <message>
        <source>a row per window, step and channel</source>
        <translation>每个窗口、预测步和通道一行</translation>
    </message>
    <message>
        <source>window %1, step %2 and channel %3 occur twice, first in line %4</source>
        <translation>窗口 %1、预测步 %2 和通道 %3 出现两次，首次在第 %4 行</translation>
    </message>
    <message>
        <source>one row per window, step and channel</source>
        <translation>每个窗口、预测步和通道仅一行</translation>
    </message>
    <message>
        <source>the predictions have the shape %1 and the truths %2</source>
        <translation>预测的形状为 %1，真实值的形状为 %2</translation>
    </message>
    <message>
        <source>arrays of the same shape, [windows, horizon, channels]</source>
        <translation>形状相同的数组，[窗口, 预测步长, 通道]</translation>
    </message>
    <message>
        <source>it has no .npy file</source>
        <translation>没有 .npy 文件</translation>
    </message>
    <message>
        <source>it has only %1</source>
        <translation>只有 %1</translation>
    </message>
    <message>
        <source>pred.npy and true.npy</source>
        <translation>pred.npy 和 true.npy</translation>
    </message>
    <message>
        <source>Give the folder of one setting, or an .npz or CSV file.</source>
        <translation>请指定单个设置的文件夹，或 .npz 或 CSV 文件。</translation>
    </message>
    <message>
        <source>its arrays are none</source>
        <translation>其中没有数组</translation>
    </message>
    <message>
        <source>its arrays are %1</source>
        <translation>其中的数组为 %1</translation>
    </message>
    <message>
        <source>the arrays pred and true</source>
        <translation>数组 pred 和 true</translation>
    </message>
    <message>
        <source>there is no such file or folder</source>
        <translation>没有这样的文件或文件夹</translation>
    </message>
    <message>
        <source>a folder with pred.npy and true.npy, an .npz file or a CSV file</source>
        <translation>含 pred.npy 和 true.npy 的文件夹、.npz 文件或 CSV 文件</translation>
    </message>
    <message>
        <source>Check the path and its spelling.</source>
        <translation>请检查路径及其拼写。</translation>
    </message>
    <message>
        <source>the name of a folder</source>
        <translation>文件夹名称</translation>
    </message>
    <message>
        <source>Choose another --name or --out folder.</source>
        <translation>请选择其他 --name 或 --out 文件夹。</translation>
    </message>
    <message>
        <source>the folder has runs that were trained here</source>
        <translation>文件夹中有本程序训练的运行</translation>
    </message>
    <message>
        <source>an empty folder, or one with imported forecasts</source>
        <translation>空文件夹，或含有导入的预测的文件夹</translation>
    </message>
    <message>
        <source>the folder has the forecasts of %1</source>
        <translation>文件夹中有 %1 的预测</translation>
    </message>
    <message>
        <source>an empty folder, or an earlier import of the same path</source>
        <translation>空文件夹，或先前从同一路径的导入</translation>
    </message>
    <message>
        <source>the default seed %1</source>
        <translation>默认的随机种子 %1</translation>
    </message>
    <message>
        <source>the fixed seed %1</source>
        <translation>固定的随机种子 %1</translation>
    </message>
    <message>
        <source>early stopping on the test split</source>
        <translation>在测试集上早停</translation>
    </message>
    <message>
        <source>validation on the test split</source>
        <translation>在测试集上验证</translation>
    </message>
    <message>
        <source>a choice by the test error</source>
        <translation>按测试误差选择</translation>
    </message>
    <message>
        <source>a best test result</source>
        <translation>最佳测试结果</translation>
    </message>
    <message>
        <source>a dropped last test batch</source>
        <translation>丢弃最后一个测试批次</translation>
    </message>
    <message>
        <source>the mean and standard deviation of the training rows</source>
        <translation>训练行的均值和标准差</translation>
    </message>
    <message>
        <source>nothing (original units)</source>
        <translation>无（原始单位）</translation>
    </message>
    <message>
        <source>the mean and sample standard deviation of the training rows</source>
        <translation>训练行的均值和样本标准差</translation>
    </message>
    <message>
        <source>the mean and standard deviation of %1</source>
        <translation>%1的均值和标准差</translation>
    </message>
    <message>
        <source>one mean and standard deviation of all channels&apos; training rows</source>
        <translation>所有通道的训练行的同一均值和标准差</translation>
    </message>
    <message>
        <source>the minimum and range of the training rows</source>
        <translation>训练行的最小值和极差</translation>
    </message>
    <message>
        <source>the minimum and range of all rows</source>
        <translation>所有行的最小值和极差</translation>
    </message>
    <message>
        <source>its shape is %1</source>
        <translation>形状为 %1</translation>
    </message>
    <message>
        <source>the last %1</source>
        <translation>最后 %1 个</translation>
    </message>
    <message>
        <source>the last</source>
        <translation>最后一个</translation>
    </message>
    <message>
        <source>%1 outside the test split</source>
        <translation>测试集之外的 %1</translation>
    </message>
    <message>
        <source>, and %1 outside the test split</source>
        <translation>，以及测试集之外的 %1</translation>
    </message>
    <message>
        <source>%1, besides the %2 of its %3 windows</source>
        <translation>%1，另有测试集 %3 个窗口中的 %2 个</translation>
    </message>
    <message>
        <source>the targets begin at rows %1 to %2 of the file, not %3 to %4</source>
        <translation>目标值始于文件的第 %1 至 %2 行，而不是第 %3 至 %4 行</translation>
    </message>
    <message>
        <source>the targets begin at rows %1 to %2 of the file, not %3 to %4: the %5</source>
        <translation>目标值始于文件的第 %1 至 %2 行，而不是第 %3 至 %4 行：%5</translation>
    </message>
    <message>
        <source>the first window&apos;s target begins %1 row before the first test row, %2</source>
        <translation>第一个窗口的目标值比测试集的第一行（%2）早 %1 行开始</translation>
    </message>
    <message>
        <source>the first window&apos;s target begins %1 row after the first test row, %2</source>
        <translation>第一个窗口的目标值比测试集的第一行（%2）晚 %1 行开始</translation>
    </message>
    <message>
        <source>the first window&apos;s target begins %1 rows before the first test row, %2</source>
        <translation>第一个窗口的目标值比测试集的第一行（%2）早 %1 行开始</translation>
    </message>
    <message>
        <source>the first window&apos;s target begins %1 rows after the first test row, %2</source>
        <translation>第一个窗口的目标值比测试集的第一行（%2）晚 %1 行开始</translation>
    </message>
    <message>
        <source>%1 of true, window %2, is not in the data set</source>
        <translation>数组 true 的 %1（窗口 %2）不在数据集中</translation>
    </message>
    <message>
        <source>%1 of true, the first window %2, are not in the data set</source>
        <translation>数组 true 的 %1（首个为窗口 %2）不在数据集中</translation>
    </message>
    <message>
        <source>the windows are not in the order of the file: %1 is earlier than the one before</source>
        <translation>窗口不按文件的顺序：%1 个早于其前一个窗口</translation>
    </message>
    <message>
        <source>the windows are not in the order of the file: %1 are earlier than the one before</source>
        <translation>窗口不按文件的顺序：%1 个早于其前一个窗口</translation>
    </message>
    <message>
        <source>%1 more than the %2 of the test split</source>
        <translation>比测试集的 %2 个多 %1</translation>
    </message>
    <message>
        <source>a folder that can be written</source>
        <translation>可写入的文件夹</translation>
    </message>
    <message>
        <source>%1 was %2, is now %3</source>
        <translation>%1 原为 %2，现为 %3</translation>
    </message>
    <message>
        <source>Cancel it (scancel %1), or give the experiment another name.</source>
        <translation>请取消它（scancel %1），或为实验指定其他名称。</translation>
    </message>
    <message>
        <source>Slurm&apos;s controller may be down: try sinfo in a terminal, then try again.</source>
        <translation>Slurm 的控制器可能已停止：请在终端中试用 sinfo，然后重试。</translation>
    </message>
    <message>
        <source>it ended with status %1 without a message</source>
        <translation>它以状态 %1 结束，没有给出消息</translation>
    </message>
    <message>
        <source>Slurm&apos;s sbatch is not on this machine</source>
        <translation>本机上没有 Slurm 的 sbatch</translation>
    </message>
    <message>
        <source>Slurm job %1: %2</source>
        <translation>Slurm 作业 %1：%2</translation>
    </message>
    <message>
        <source>Given: %1; the others are defaults.</source>
        <translation>给出的设置：%1；其余为默认值。</translation>
    </message>
    <message>
        <source>First in run %1.</source>
        <translation>首先出现在运行 %1 中。</translation>
    </message>
    <message>
        <source>Change one of them.</source>
        <translation>请更改其中之一。</translation>
    </message>
    <message>
        <source>the case has no label</source>
        <translation>情形没有标签</translation>
    </message>
    <message>
        <source>%1 contains control characters</source>
        <translation>%1 含有控制字符</translation>
    </message>
    <message>
        <source>%1 contains invisible characters</source>
        <translation>%1 含有不可见字符</translation>
    </message>
    <message>
        <source>%1 is too long</source>
        <translation>%1 过长</translation>
    </message>
    <message>
        <source>label = &quot;...&quot; with 1 to %1 characters</source>
        <translation>label = &quot;...&quot;（1 至 %1 个字符）</translation>
    </message>
    <message>
        <source>Give the case a label: run names and tables show it.</source>
        <translation>请为情形指定标签：运行名称和表格会显示它。</translation>
    </message>
    <message>
        <source>(also in %1)</source>
        <translation>（也在 %1 中）</translation>
    </message>
    <message>
        <source>two cases have the label %1</source>
        <translation>两个情形的标签都是 %1</translation>
    </message>
    <message>
        <source>a different label for each case</source>
        <translation>每个情形的标签各不相同</translation>
    </message>
    <message>
        <source>Rename one of the two.</source>
        <translation>请重命名二者之一。</translation>
    </message>
    <message>
        <source>the labels %1 and %2 are too alike for names of folders</source>
        <translation>标签 %1 和 %2 过于相似，不能用作文件夹名称</translation>
    </message>
    <message>
        <source>labels that differ in digits, &apos;.&apos;, &apos;_&apos;, &apos;+&apos;, &apos;-&apos; or letters, not only in upper and lower case</source>
        <translation>在数字、&apos;.&apos;、&apos;_&apos;、&apos;+&apos;、&apos;-&apos; 或字母上不同，而不仅是大小写不同的标签</translation>
    </message>
    <message>
        <source>%1 is in a case and in [sweep] (%2)</source>
        <translation>%1 同时在情形和 [sweep] 中（%2）</translation>
    </message>
    <message>
        <source>each key in one of the two</source>
        <translation>每个键只在二者之一中</translation>
    </message>
    <message>
        <source>Remove it from [sweep] or from the case.</source>
        <translation>请从 [sweep] 或情形中删除它。</translation>
    </message>
    <message>
        <source>the sweep has more than %1 runs</source>
        <translation>扫描超过 %1 个运行</translation>
    </message>
    <message>
        <source>a product of fewer values</source>
        <translation>更少的值的组合</translation>
    </message>
    <message>
        <source>Sweep over fewer values, or in several experiments.</source>
        <translation>请减少扫描的值，或分成多个实验扫描。</translation>
    </message>
    <message>
        <source>the run name %1 is too long</source>
        <translation>运行名称 %1 过长</translation>
    </message>
    <message>
        <source>at most %1 bytes</source>
        <translation>最多 %1 字节</translation>
    </message>
    <message>
        <source>Sweep over fewer or shorter values, or shorten the labels of cases.</source>
        <translation>请扫描更少或更短的值，或缩短情形的标签。</translation>
    </message>
    <message>
        <source>two runs of the sweep are called %1</source>
        <translation>扫描中的两个运行都名为 %1</translation>
    </message>
    <message>
        <source>values that differ in letters, digits, &apos;.&apos;, &apos;_&apos;, &apos;+&apos; or &apos;-&apos;</source>
        <translation>在字母、数字、&apos;.&apos;、&apos;_&apos;、&apos;+&apos; 或 &apos;-&apos; 上不同的值</translation>
    </message>
    <message>
        <source>Leave one of them out, or change it.</source>
        <translation>请省略其中之一，或更改它。</translation>
    </message>
    <message>
        <source>%1 is a setting of the model %2, and model.name = %3</source>
        <translation>%1 是模型 %2 的设置，而 model.name = %3</translation>
    </message>
    <message>
        <source>model.name = %1</source>
        <translation>model.name = %1</translation>
    </message>
    <message>
        <source>Set model.name, or remove %1.</source>
        <translation>请设置 model.name，或删除 %1。</translation>
    </message>
    <message>
        <source>--set replaces %1 of the case %2</source>
        <translation>--set 替换了情形 %2 的 %1</translation>
    </message>
    <message>
        <source>without %1, which --set replaces, these cases are equal: %2</source>
        <translation>不计 --set 所替换的 %1，这些情形相同：%2</translation>
    </message>
    <message>
        <source>cases that differ</source>
        <translation>互不相同的情形</translation>
    </message>
    <message>
        <source>Leave it out, or copy the experiment and change its cases.</source>
        <translation>请省略它，或复制实验并更改其情形。</translation>
    </message>
    <message>
        <source>the file&apos;s name %1</source>
        <translation>文件名%1</translation>
    </message>
    <message>
        <source>Rename the file or give the experiment a name = &quot;...&quot;.</source>
        <translation>请重命名文件，或为实验指定 name = &quot;...&quot;。</translation>
    </message>
    <message>
        <source>data.path is not given</source>
        <translation>未给出 data.path</translation>
    </message>
    <message>
        <source>Set data.path to your file, or to a name that --list-catalog shows.</source>
        <translation>请将 data.path 设为您的文件，或 --list-catalog 显示的名称。</translation>
    </message>
    <message>
        <source>unknown key</source>
        <translation>未知的键</translation>
    </message>
    <message>
        <source>Nearest valid key: %1.</source>
        <translation>最接近的有效键：%1。</translation>
    </message>
    <message>
        <source>is not finite</source>
        <translation>不是有限数</translation>
    </message>
    <message>
        <source>is out of range</source>
        <translation>超出范围</translation>
    </message>
    <message>
        <source>is even</source>
        <translation>是偶数</translation>
    </message>
    <message>
        <source>is no device</source>
        <translation>不是设备</translation>
    </message>
    <message>
        <source>is longer than 120 bytes</source>
        <translation>长于 120 字节</translation>
    </message>
    <message>
        <source>begins with a dot</source>
        <translation>以点开头</translation>
    </message>
    <message>
        <source>contains a control character</source>
        <translation>含有控制字符</translation>
    </message>
    <message>
        <source>is not UTF-8</source>
        <translation>不是 UTF-8</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>为空</translation>
    </message>
    <message>
        <source>is none of the choices</source>
        <translation>不是可选值之一</translation>
    </message>
    <message>
        <source>is none of the choices (nearest: %1)</source>
        <translation>不是可选值之一（最接近的：%1）</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>is no preset</source>
        <translation>不是预设</translation>
    </message>
    <message>
        <source>is no preset (nearest: %1)</source>
        <translation>不是预设（最接近的：%1）</translation>
    </message>
    <message>
        <source>needs three row counts of at least 1</source>
        <translation>需要三个至少为 1 的行数</translation>
    </message>
    <message>
        <source>of at least %1</source>
        <translation>（至少为 %1）</translation>
    </message>
    <message>
        <source>of at most %1</source>
        <translation>（最多为 %1）</translation>
    </message>
    <message>
        <source>above %1 and below %2</source>
        <translation>（大于 %1 且小于 %2）</translation>
    </message>
    <message>
        <source>above %1 and at most %2</source>
        <translation>（大于 %1，最多为 %2）</translation>
    </message>
    <message>
        <source>from %1 to below %2</source>
        <translation>（至少为 %1 且小于 %2）</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>（%1 至 %2）</translation>
    </message>
    <message>
        <source>an odd integer%1</source>
        <translation>奇数%1</translation>
    </message>
    <message>
        <source>an integer%1</source>
        <translation>整数%1</translation>
    </message>
    <message>
        <source>a number%1</source>
        <translation>数字%1</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>a list of numbers, e.g. [-9999]</source>
        <translation>数字列表，例如 [-9999]</translation>
    </message>
    <message>
        <source>a list of &quot;cpu&quot; and &quot;cuda:N&quot;, e.g. [&quot;cuda:0&quot;, &quot;cuda:1&quot;]</source>
        <translation>&quot;cpu&quot; 和 &quot;cuda:N&quot; 的列表，例如 [&quot;cuda:0&quot;, &quot;cuda:1&quot;]</translation>
    </message>
    <message>
        <source>a list of strings, each %1</source>
        <translation>字符串列表，每项为：%1</translation>
    </message>
    <message>
        <source>a list of strings, e.g. [&quot;OT&quot;]</source>
        <translation>字符串列表，例如 [&quot;OT&quot;]</translation>
    </message>
    <message>
        <source>a list of %1</source>
        <translation>列表，各项为 %1</translation>
    </message>
    <message>
        <source>a name for a folder (no slash, no &quot;..&quot;, no dot in front, at most 120 bytes)</source>
        <translation>文件夹名称（不含斜杠和 &quot;..&quot;，不以点开头，最多 120 字节）</translation>
    </message>
    <message>
        <source>a name that --list-presets shows</source>
        <translation>--list-presets 显示的名称</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>has an item that %1</source>
        <translation>有一项%1</translation>
    </message>
    <message>
        <source>%1 of %2 combinations of the sweep are left out: they equal other runs, since their models do not read %3</source>
        <translation>省略了扫描的 %2 个组合中的 %1 个：其模型不读取 %3，因此它们与其他运行相同</translation>
    </message>
    <message>
        <source>not read by %1 in this experiment: %2</source>
        <translation>在此实验中，%1 不读取：%2</translation>
    </message>
    <message>
        <source>%1 is no preset</source>
        <translation>%1 不是预设</translation>
    </message>
    <message>
        <source>Nearest preset: %1.</source>
        <translation>最接近的预设：%1。</translation>
    </message>
    <message>
        <source>Scheduler (--submit; of no run)</source>
        <translation>调度器（--submit；不属于任何运行）</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1，另有 %2 个</translation>
    </message>
    <message>
        <source>is a table</source>
        <translation>是表</translation>
    </message>
    <message>
        <source>is a nested or mixed list</source>
        <translation>是嵌套或混合的列表</translation>
    </message>
    <message>
        <source>is a date</source>
        <translation>是日期</translation>
    </message>
    <message>
        <source>is a time</source>
        <translation>是时间</translation>
    </message>
    <message>
        <source>is a date and time</source>
        <translation>是日期和时间</translation>
    </message>
    <message>
        <source>is of no known type</source>
        <translation>是未知类型</translation>
    </message>
    <message>
        <source>this path is relative, and the folder the program was started in is gone (%1)</source>
        <translation>此路径是相对路径，而启动程序时所在的文件夹已不存在（%1）</translation>
    </message>
    <message>
        <source>Give the whole path, beginning with /.</source>
        <translation>请给出以 / 开头的完整路径。</translation>
    </message>
    <message>
        <source>sweep.name: the name of the experiment cannot be swept</source>
        <translation>sweep.name：实验的名称不能扫描</translation>
    </message>
    <message>
        <source>another key</source>
        <translation>其他键</translation>
    </message>
    <message>
        <source>Give each run a different setting instead.</source>
        <translation>请改用其他设置来区分各运行。</translation>
    </message>
    <message>
        <source>a list of values, each %1</source>
        <translation>值的列表，每项为：%1</translation>
    </message>
    <message>
        <source>a key that --list-options shows</source>
        <translation>--list-options 显示的键</translation>
    </message>
    <message>
        <source>unknown key %1</source>
        <translation>未知的键 %1</translation>
    </message>
    <message>
        <source>a key of [scheduler] that --help shows</source>
        <translation>--help 显示的 [scheduler] 的键</translation>
    </message>
    <message>
        <source>Correct or remove it.</source>
        <translation>请更正或删除它。</translation>
    </message>
    <message>
        <source>%1 is given twice (also in %2)</source>
        <translation>%1 给出了两次（也在 %2 中）</translation>
    </message>
    <message>
        <source>one value</source>
        <translation>一个值</translation>
    </message>
    <message>
        <source>Remove one of the two.</source>
        <translation>请删除二者之一。</translation>
    </message>
    <message>
        <source>%1 is a value</source>
        <translation>%1 是值</translation>
    </message>
    <message>
        <source>a table [%1] with its keys</source>
        <translation>表 [%1] 及其键</translation>
    </message>
    <message>
        <source>unknown table [%1]</source>
        <translation>未知的表 [%1]</translation>
    </message>
    <message>
        <source>Nearest valid table: [%1].</source>
        <translation>最接近的有效表：[%1]。</translation>
    </message>
    <message>
        <source>sweep is a value</source>
        <translation>sweep 是值</translation>
    </message>
    <message>
        <source>a table [sweep] of keys with lists of values</source>
        <translation>表 [sweep]，其中每个键带一个值的列表</translation>
    </message>
    <message>
        <source>one list</source>
        <translation>一个列表</translation>
    </message>
    <message>
        <source>sweep.case is not a list of tables</source>
        <translation>sweep.case 不是表的列表</translation>
    </message>
    <message>
        <source>one table [[sweep.case]] for each case</source>
        <translation>每个情形一个表 [[sweep.case]]</translation>
    </message>
    <message>
        <source>Write [[sweep.case]] above the label and the settings of each case.</source>
        <translation>请在每个情形的标签和设置之上写 [[sweep.case]]。</translation>
    </message>
    <message>
        <source>the label of a case is not a string</source>
        <translation>情形的标签不是字符串</translation>
    </message>
    <message>
        <source>Put the label in quotes.</source>
        <translation>请将标签放在引号中。</translation>
    </message>
    <message>
        <source>name: the name of the experiment cannot be in a case</source>
        <translation>name：实验的名称不能放在情形中</translation>
    </message>
    <message>
        <source>Use label to name the case.</source>
        <translation>请用 label 命名情形。</translation>
    </message>
    <message>
        <source>valid TOML</source>
        <translation>有效的 TOML</translation>
    </message>
    <message>
        <source>Correct this line: settings are key = value, strings are in quotes, tables in [ ].</source>
        <translation>请更正此行：设置写为 key = value，字符串用引号，表用 [ ]。</translation>
    </message>
    <message>
        <source>each key and table once</source>
        <translation>每个键和表只出现一次</translation>
    </message>
    <message>
        <source>a number of at most 64 bits</source>
        <translation>最多 64 位的数字</translation>
    </message>
    <message>
        <source>Write a smaller number on this line.</source>
        <translation>请在此行写更小的数字。</translation>
    </message>
    <message>
        <source>Write another number on this line.</source>
        <translation>请在此行写其他数字。</translation>
    </message>
    <message>
        <source>Correct this line with a text editor, or name another file.</source>
        <translation>请用文本编辑器更正此行，或指定其他文件。</translation>
    </message>
    <message>
        <source>TOML syntax: %1</source>
        <translation>TOML 语法：%1</translation>
    </message>
    <message>
        <source>Give %1 another value with --set.</source>
        <translation>请用 --set 为 %1 指定其他值。</translation>
    </message>
    <message>
        <source>Change %1 on this line.</source>
        <translation>请更改此行的 %1。</translation>
    </message>
    <message>
        <source>and %1 more.</source>
        <translation>另有 %1 个。</translation>
    </message>
    <message>
        <source>has %1 bytes</source>
        <translation>有 %1 字节</translation>
    </message>
    <message>
        <source>an experiment file of at most 4 MiB</source>
        <translation>最大 4 MiB 的实验文件</translation>
    </message>
    <message>
        <source>tables or lists are nested too deep</source>
        <translation>表或列表嵌套过深</translation>
    </message>
    <message>
        <source>keys of two or three parts</source>
        <translation>由两部分或三部分组成的键</translation>
    </message>
    <message>
        <source>Write one setting a line, as key = value below its [table].</source>
        <translation>请每行写一个设置，在其 [table] 之下写为 key = value。</translation>
    </message>
    <message>
        <source>Write it like --set train.epochs=3.</source>
        <translation>请按 --set train.epochs=3 的形式写。</translation>
    </message>
    <message>
        <source>there is no &apos;=&apos;</source>
        <translation>没有 &apos;=&apos;</translation>
    </message>
    <message>
        <source>%1 is no TOML value</source>
        <translation>%1 不是 TOML 值</translation>
    </message>
    <message>
        <source>a list of values</source>
        <translation>值的列表</translation>
    </message>
    <message>
        <source>%1 = %2 is no TOML value</source>
        <translation>%1 = %2 不是 TOML 值</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>The nearest is &quot;%1&quot;.</source>
        <translation>最接近的是 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>neither it nor HOME is set</source>
        <translation>它和 HOME 均未设置</translation>
    </message>
    <message>
        <source>a folder for downloaded files</source>
        <translation>用于存放下载文件的文件夹</translation>
    </message>
    <message>
        <source>there is no such entry in the catalogue</source>
        <translation>目录中没有这样的条目</translation>
    </message>
    <message>
        <source>The nearest name is &quot;%1&quot;; caspstudio --list-catalog shows all.</source>
        <translation>最接近的名称是 &quot;%1&quot;；caspstudio --list-catalog 显示所有名称。</translation>
    </message>
    <message>
        <source>this is a %1</source>
        <translation>这是 %1</translation>
    </message>
    <message>
        <source>a data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>the file is not in the cache (%1)</source>
        <translation>文件不在缓存中（%1）</translation>
    </message>
    <message>
        <source>It has no stable public address: get it from %1 and save it there.</source>
        <translation>它没有稳定的公开地址：请从 %1 获取并保存到那里。</translation>
    </message>
    <message>
        <source>Fetch it with: caspstudio --fetch %1</source>
        <translation>获取命令：caspstudio --fetch %1</translation>
    </message>
    <message>
        <source>Choose another time column, or none (data.csv.time_column).</source>
        <translation>请选择其他时间列，或选择无（data.csv.time_column）。</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; occurs more than once; column %2 is called &quot;%3&quot; here</source>
        <translation>列 &quot;%1&quot; 出现多次；第 %2 列在此处称为 &quot;%3&quot;</translation>
    </message>
    <message>
        <source>there is no column &quot;%1&quot; to take the time from</source>
        <translation>没有可从中读取时间的列 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>a column of the file</source>
        <translation>文件的一列</translation>
    </message>
    <message>
        <source>The nearest name is &quot;%1&quot;.</source>
        <translation>最接近的名称是 &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>the file holds only empty lines</source>
        <translation>文件只含空行</translation>
    </message>
    <message>
        <source>a table of numbers</source>
        <translation>数字表格</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>最多 %1</translation>
    </message>
    <message>
        <source>If the delimiter is wrong, set data.csv.delimiter; otherwise split the file.</source>
        <translation>如果分隔符不对，请设置 data.csv.delimiter；否则请拆分文件。</translation>
    </message>
    <message>
        <source>the file holds a header and no rows</source>
        <translation>文件只有表头，没有行</translation>
    </message>
    <message>
        <source>at least one row of numbers</source>
        <translation>至少一行数字</translation>
    </message>
    <message>
        <source>Export or download the table again, with its rows.</source>
        <translation>请重新导出或下载表格，并包含其各行。</translation>
    </message>
    <message>
        <source>a zero byte at offset %1: this is not a text file</source>
        <translation>偏移 %1 处有零字节：这不是文本文件</translation>
    </message>
    <message>
        <source>a CSV file</source>
        <translation>CSV 文件</translation>
    </message>
    <message>
        <source>Give another file, or save this table as CSV.</source>
        <translation>请指定其他文件，或将此表格保存为 CSV。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; can be part of a number or a line end</source>
        <translation>&apos;%1&apos; 可能是数字或行尾的一部分</translation>
    </message>
    <message>
        <source>a sign such as , ; | or a tab</source>
        <translation>符号，例如 , ; | 或制表符</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot enclose cells</source>
        <translation>&apos;%1&apos; 不能用于括起单元格</translation>
    </message>
    <message>
        <source>a sign such as &quot; or &apos;</source>
        <translation>符号，例如 &quot; 或 &apos;</translation>
    </message>
    <message>
        <source>delimiter and quote are the same sign</source>
        <translation>分隔符和引号是同一符号</translation>
    </message>
    <message>
        <source>two signs</source>
        <translation>两个不同的符号</translation>
    </message>
    <message>
        <source>Choose another one for one of them.</source>
        <translation>请为其中之一选择其他符号。</translation>
    </message>
    <message>
        <source>year month day</source>
        <translation>年 月 日</translation>
    </message>
    <message>
        <source>and ISO 8601</source>
        <translation>和 ISO 8601</translation>
    </message>
    <message>
        <source>the cell cannot be read as %1; the row has no time</source>
        <translation>单元格无法按 %1 读取；该行没有时间</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; has %2 missing cell</source>
        <translation>列 &quot;%1&quot; 有 %2 个缺失单元格</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; has %2 missing cells, the first here</source>
        <translation>列 &quot;%1&quot; 有 %2 个缺失单元格，首个在此处</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; has NaN in %2 cell; counted as missing</source>
        <translation>列 &quot;%1&quot; 有 %2 个单元格为 NaN；视为缺失</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; has NaN in %2 cells, the first here; counted as missing</source>
        <translation>列 &quot;%1&quot; 有 %2 个单元格为 NaN，首个在此处；视为缺失</translation>
    </message>
    <message>
        <source>Unix milliseconds</source>
        <translation>Unix 毫秒</translation>
    </message>
    <message>
        <source>Unix seconds</source>
        <translation>Unix 秒</translation>
    </message>
    <message>
        <source>at least one numeric column</source>
        <translation>至少一个数字列</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>this is %1</source>
        <translation>这是%1</translation>
    </message>
    <message>
        <source>the row has %1 of %2 cells; the rest counts as missing</source>
        <translation>该行只有 %2 个单元格中的 %1 个；其余视为缺失</translation>
    </message>
    <message>
        <source>the row has %1 cells instead of %2; the last ones are not read</source>
        <translation>该行有 %1 个单元格，而不是 %2 个；不读取最后几个</translation>
    </message>
    <message>
        <source>an empty line between rows is left out</source>
        <translation>已省略行间的空行</translation>
    </message>
    <message>
        <source>the table does not fit into memory</source>
        <translation>表格超出可用内存</translation>
    </message>
    <message>
        <source>Close other programs, or use a machine with more memory.</source>
        <translation>请关闭其他程序，或使用内存更大的机器。</translation>
    </message>
    <message>
        <source>the line is longer than %1 MiB</source>
        <translation>该行长于 %1 MiB</translation>
    </message>
    <message>
        <source>a quoted cell begins here and is never closed</source>
        <translation>带引号的单元格始于此处，且从未结束</translation>
    </message>
    <message>
        <source>a closing %1</source>
        <translation>结束的 %1</translation>
    </message>
    <message>
        <source>Close the quote, or double a quote that is part of the text.</source>
        <translation>请补上结束的引号；若引号是文本的一部分，请写两个引号。</translation>
    </message>
    <message>
        <source>%1 rows are far shorter than the %2 columns</source>
        <translation>%1 行远短于 %2 列</translation>
    </message>
    <message>
        <source>rows of equal length</source>
        <translation>长度相等的行</translation>
    </message>
    <message>
        <source>If the delimiter is wrong, set data.csv.delimiter.</source>
        <translation>如果分隔符不对，请设置 data.csv.delimiter。</translation>
    </message>
    <message>
        <source>Check the disk it is on.</source>
        <translation>请检查其所在的磁盘。</translation>
    </message>
    <message>
        <source>another program wrote to it</source>
        <translation>另一个程序写入了它</translation>
    </message>
    <message>
        <source>it had %1 bytes before and %2 now</source>
        <translation>之前为 %1 字节，现在为 %2 字节</translation>
    </message>
    <message>
        <source>the file changed while it was being read: %1</source>
        <translation>文件在读取期间发生了变化：%1</translation>
    </message>
    <message>
        <source>a file that no program is writing to</source>
        <translation>没有程序正在写入的文件</translation>
    </message>
    <message>
        <source>Try again when it is complete.</source>
        <translation>请在文件完整后重试。</translation>
    </message>
    <message>
        <source>the file cannot be read: %1</source>
        <translation>无法读取文件：%1</translation>
    </message>
    <message>
        <source>the file (%1 bytes) does not fit into memory</source>
        <translation>文件（%1 字节）超出可用内存</translation>
    </message>
    <message>
        <source>a smaller file, or more free memory</source>
        <translation>更小的文件，或更多的可用内存</translation>
    </message>
    <message>
        <source>Close other programs, or split the file.</source>
        <translation>请关闭其他程序，或拆分文件。</translation>
    </message>
    <message>
        <source>the row has no time that can be read</source>
        <translation>该行没有可读取的时间</translation>
    </message>
    <message>
        <source>the time %1 is repeated from the row before</source>
        <translation>时间 %1 与前一行重复</translation>
    </message>
    <message>
        <source>the time goes back from %1 to %2</source>
        <translation>时间从 %1 倒退到 %2</translation>
    </message>
    <message>
        <source>the time %1 follows %2</source>
        <translation>时间 %2 之后是 %1</translation>
    </message>
    <message>
        <source>equal steps in the last rows (%1)</source>
        <translation>最后各行的间隔相等（%1）</translation>
    </message>
    <message>
        <source>rising times in equal steps in the last rows</source>
        <translation>最后各行的时间以相等的间隔递增</translation>
    </message>
    <message>
        <source>Correct the rows, or ignore the times with --set data.csv.time_column=none.</source>
        <translation>请更正这些行，或用 --set data.csv.time_column=none 忽略时间。</translation>
    </message>
    <message>
        <source>one row does not show the step of the times</source>
        <translation>仅一行无法得出时间的间隔</translation>
    </message>
    <message>
        <source>at least two rows</source>
        <translation>至少两行</translation>
    </message>
    <message>
        <source>%1 rows and %2 channels</source>
        <translation>%1 行和 %2 个通道</translation>
    </message>
    <message>
        <source>it has %1</source>
        <translation>它有 %1</translation>
    </message>
    <message>
        <source>it is %1</source>
        <translation>它是 %1</translation>
    </message>
    <message>
        <source>the file in the cache (%1) is a different data set: %2</source>
        <translation>缓存中的文件（%1）是另一个数据集：%2</translation>
    </message>
    <message>
        <source>Replace it, or move it to another folder and use it by its path.</source>
        <translation>请替换它，或将它移到其他文件夹并按路径使用。</translation>
    </message>
    <message>
        <source>Move it to another folder and run caspstudio --fetch %1, or use it there by its path.</source>
        <translation>请将它移到其他文件夹并运行 caspstudio --fetch %1，或在那里按路径使用它。</translation>
    </message>
    <message>
        <source>the digest is not that of %1 in the catalogue; rows and channels match, so it is used as %2</source>
        <translation>校验和与目录中的 %1 不符；行数和通道数相符，因此按 %2 使用</translation>
    </message>
    <message>
        <source>it has too few rows for the run&apos;s windows</source>
        <translation>行数太少，不足以构成该运行的窗口</translation>
    </message>
    <message>
        <source>it has %1 channels</source>
        <translation>它有 %1 个通道</translation>
    </message>
    <message>
        <source>the %1 that the run was trained on</source>
        <translation>该运行训练时所用的 %1 个</translation>
    </message>
    <message>
        <source>the standard deviation of the %1 rows of the scaler is %2 with and %3 without it</source>
        <translation>标准化器所用 %1 行的标准差，含该值时为 %2，不含时为 %3</translation>
    </message>
    <message>
        <source>the standard deviation of the %1 rows of the scaler is %2 with and %3 without them</source>
        <translation>标准化器所用 %1 行的标准差，含这些值时为 %2，不含时为 %3</translation>
    </message>
    <message>
        <source>column &quot;%1&quot;: %2 kept as ordinary number; %3</source>
        <translation>列 &quot;%1&quot;：%2 保留为普通数字；%3</translation>
    </message>
    <message>
        <source>column &quot;%1&quot;: %2 kept as ordinary numbers; %3</source>
        <translation>列 &quot;%1&quot;：%2 保留为普通数字；%3</translation>
    </message>
    <message>
        <source>column &quot;%1&quot;: %2 with a value of data.sentinels counted as missing</source>
        <translation>列 &quot;%1&quot;：含 data.sentinels 中的值而视为缺失的有 %2</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; has %2 without a value, the first on line %3</source>
        <translation>列 &quot;%1&quot; 中没有值的有 %2，首个在第 %3 行</translation>
    </message>
    <message>
        <source>(%1 in %2 columns)</source>
        <translation>（%2 列中共 %1）</translation>
    </message>
    <message>
        <source>%1; data.missing = &quot;keep&quot; keeps numbers such as -9999, but training needs a number in every cell</source>
        <translation>%1；data.missing = &quot;keep&quot; 保留 -9999 之类的数字，但训练要求每个单元格都有数字</translation>
    </message>
    <message>
        <source>a number in every cell</source>
        <translation>每个单元格都有数字</translation>
    </message>
    <message>
        <source>a value in every cell (data.missing = &quot;error&quot;)</source>
        <translation>每个单元格都有值（data.missing = &quot;error&quot;）</translation>
    </message>
    <message>
        <source>Set data.missing to &quot;interpolate&quot; (linear between neighbouring values) or &quot;drop-column&quot; (leave out these columns); &quot;keep&quot; keeps numbers such as -9999 as they are, but not empty cells.</source>
        <translation>请将 data.missing 设为 &quot;interpolate&quot;（在相邻值之间线性插值）或 &quot;drop-column&quot;（省略这些列）；&quot;keep&quot; 原样保留 -9999 之类的数字，但不保留空单元格。</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; left out: %2 without a value (data.missing = &quot;drop-column&quot;)</source>
        <translation>省略列 &quot;%1&quot;：%2没有值（data.missing = &quot;drop-column&quot;）</translation>
    </message>
    <message>
        <source>every column has missing cells and data.missing = &quot;drop-column&quot; left none</source>
        <translation>每一列都有缺失的单元格，data.missing = &quot;drop-column&quot; 没有留下任何列</translation>
    </message>
    <message>
        <source>at least one column with a value in every cell</source>
        <translation>至少一列的每个单元格都有值</translation>
    </message>
    <message>
        <source>Set data.missing to &quot;interpolate&quot;.</source>
        <translation>请将 data.missing 设为 &quot;interpolate&quot;。</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; has no values</source>
        <translation>列 &quot;%1&quot; 没有值</translation>
    </message>
    <message>
        <source>at least one value to interpolate from</source>
        <translation>至少一个可用于插值的值</translation>
    </message>
    <message>
        <source>Leave it out with data.columns or data.missing = &quot;drop-column&quot;.</source>
        <translation>请用 data.columns 或 data.missing = &quot;drop-column&quot; 省略该列。</translation>
    </message>
    <message>
        <source>column &quot;%1&quot;: %2 filled by interpolation, at most %3 in a row</source>
        <translation>列 &quot;%1&quot;：%2已用插值填充，最多连续 %3 个</translation>
    </message>
    <message>
        <source>there is no numeric column &quot;%1&quot;</source>
        <translation>没有数值列 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>there is no numeric column &quot;%1&quot; in %2</source>
        <translation>%2 中没有数值列 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>names of its numeric columns</source>
        <translation>其数值列的名称</translation>
    </message>
    <message>
        <source>the value %1 of data.sentinels does not occur</source>
        <translation>data.sentinels 的值 %1 没有出现</translation>
    </message>
    <message>
        <source>it has format version %1</source>
        <translation>其格式版本为 %1</translation>
    </message>
    <message>
        <source>%1 = %2 applies to tables, and %3 is a collection of series</source>
        <translation>%1 = %2 适用于表格，而 %3 是序列集合</translation>
    </message>
    <message>
        <source>Remove the setting.</source>
        <translation>请删除该设置。</translation>
    </message>
    <message>
        <source>no series has more than %1 training values, of which the last %2 are held out</source>
        <translation>没有序列的训练值多于 %1 个（其中最后 %2 个被留出）</translation>
    </message>
    <message>
        <source>longer series</source>
        <translation>较长的序列</translation>
    </message>
    <message>
        <source>Choose a smaller data.horizon.</source>
        <translation>请选择较小的 data.horizon。</translation>
    </message>
    <message>
        <source>%1 (stopped on test)</source>
        <translation>%1（早停监测测试值）</translation>
    </message>
    <message>
        <source>%1 at intervals of %2</source>
        <translation>%1，间隔 %2</translation>
    </message>
    <message>
        <source>the preset %1 is for %2 (%3), but the file has %4</source>
        <translation>预设 %1 适用于 %2（%3），但文件有 %4</translation>
    </message>
    <message>
        <source>%1 and is %2</source>
        <translation>%1，且是 %2</translation>
    </message>
    <message>
        <source>%1; it looks like %2</source>
        <translation>%1；看起来像 %2</translation>
    </message>
    <message>
        <source>Convert it first.</source>
        <translation>请先转换该文件。</translation>
    </message>
    <message>
        <source>Add the file.</source>
        <translation>请添加该文件。</translation>
    </message>
    <message>
        <source>Add the file; both files are there for</source>
        <translation>请添加该文件；两个文件都有的频率</translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation>没有此文件</translation>
    </message>
    <message>
        <source>the test values of %1</source>
        <translation>%1 的测试值</translation>
    </message>
    <message>
        <source>Set data.frequency.</source>
        <translation>请设置 data.frequency。</translation>
    </message>
    <message>
        <source>there is no file Train/NAME-train.csv in this folder</source>
        <translation>此文件夹中没有文件 Train/NAME-train.csv</translation>
    </message>
    <message>
        <source>the files of M4: Train/Yearly-train.csv and Test/Yearly-test.csv, or of another frequency</source>
        <translation>M4 的文件：Train/Yearly-train.csv 和 Test/Yearly-test.csv，或其他频率的文件</translation>
    </message>
    <message>
        <source>Give the folder that contains Train and Test.</source>
        <translation>请给出包含 Train 和 Test 的文件夹。</translation>
    </message>
    <message>
        <source>not set, and %1 has several frequencies</source>
        <translation>未设置，而 %1 有多种频率</translation>
    </message>
    <message>
        <source>%1 is not a frequency</source>
        <translation>%1 不是频率</translation>
    </message>
    <message>
        <source>The nearest name is %1.</source>
        <translation>最接近的名称是 %1。</translation>
    </message>
    <message>
        <source>%1, but data.path is %2</source>
        <translation>%1，但 data.path 是 %2</translation>
    </message>
    <message>
        <source>Correct one of them, or leave data.frequency empty.</source>
        <translation>请更正其中之一，或将 data.frequency 留空。</translation>
    </message>
    <message>
        <source>a training file of M4</source>
        <translation>M4 的训练文件</translation>
    </message>
    <message>
        <source>%1 occurs twice, first in line %2</source>
        <translation>%1 出现两次，首次在第 %2 行</translation>
    </message>
    <message>
        <source>one line per series</source>
        <translation>每个序列一行</translation>
    </message>
    <message>
        <source>Remove or rename one of them.</source>
        <translation>请删除或重命名其中之一。</translation>
    </message>
    <message>
        <source>%1 is missing in %2</source>
        <translation>%2 中缺少 %1</translation>
    </message>
    <message>
        <source>%1 and %2 more series are missing in %3</source>
        <translation>%3 中缺少 %1 和另外 %2 个序列</translation>
    </message>
    <message>
        <source>the same series in both files</source>
        <translation>两个文件含有相同的序列</translation>
    </message>
    <message>
        <source>Add them there, or remove them here.</source>
        <translation>请在那里添加这些序列，或在此处删除它们。</translation>
    </message>
    <message>
        <source>no series of %1 is in this file: the first ids are %2 and %3</source>
        <translation>%1 的序列都不在此文件中：两者的第一个 id 是 %2 和 %3</translation>
    </message>
    <message>
        <source>%1 and all others have %2</source>
        <translation>%1 和所有其他序列都有 %2</translation>
    </message>
    <message>
        <source>%1 (data.horizon = %2)</source>
        <translation>%1（data.horizon = %2）</translation>
    </message>
    <message>
        <source>%1, as %2 has</source>
        <translation>%1，与 %2 相同</translation>
    </message>
    <message>
        <source>Set data.horizon = %1.</source>
        <translation>请设置 data.horizon = %1。</translation>
    </message>
    <message>
        <source>All series need the same number of test values: correct the line, or remove the series.</source>
        <translation>所有序列的测试值个数须相同：请更正该行，或删除该序列。</translation>
    </message>
    <message>
        <source>at least %1 (horizon %2 + 1)</source>
        <translation>至少 %1（预测步长 %2 + 1）</translation>
    </message>
    <message>
        <source>Remove the series from both files, or shorten the horizon.</source>
        <translation>请从两个文件中删除该序列，或缩短预测步长。</translation>
    </message>
    <message>
        <source>the training values of %1 are constant: its MASE is undefined and left out of the mean</source>
        <translation>%1 的训练值为常量：其 MASE 无定义，不计入均值</translation>
    </message>
    <message>
        <source>the training values of %1 series are constant, the first is %2: their MASE is undefined and left out of the mean</source>
        <translation>%1 个序列的训练值为常量，第一个是 %2：其 MASE 无定义，不计入均值</translation>
    </message>
    <message>
        <source>the series do not fit into memory</source>
        <translation>这些序列超出可用内存</translation>
    </message>
    <message>
        <source>a CSV file in UTF-8</source>
        <translation>UTF-8 编码的 CSV 文件</translation>
    </message>
    <message>
        <source>a line per series: its id, then its values</source>
        <translation>每个序列一行：先是 id，然后是各值</translation>
    </message>
    <message>
        <source>the line has no series id</source>
        <translation>该行没有序列 id</translation>
    </message>
    <message>
        <source>%1: column %2 is empty, but column %3 has a value</source>
        <translation>%1：第 %2 列为空，但第 %3 列有值</translation>
    </message>
    <message>
        <source>empty cells only behind the last value of a series</source>
        <translation>空单元格只在序列的最后一个值之后</translation>
    </message>
    <message>
        <source>Fill the gap, or remove the series from both files.</source>
        <translation>请填补空缺，或从两个文件中删除该序列。</translation>
    </message>
    <message>
        <source>%1 has no values</source>
        <translation>%1 没有值</translation>
    </message>
    <message>
        <source>Remove the series from both files.</source>
        <translation>请从两个文件中删除该序列。</translation>
    </message>
    <message>
        <source>%1: a quoted cell is never closed</source>
        <translation>%1：带引号的单元格没有结束引号</translation>
    </message>
    <message>
        <source>a closing &quot; in the same line</source>
        <translation>同一行中有结束引号 &quot;</translation>
    </message>
    <message>
        <source>the cell has no value</source>
        <translation>单元格没有值</translation>
    </message>
    <message>
        <source>is infinite</source>
        <translation>是无穷大</translation>
    </message>
    <message>
        <source>is not a number</source>
        <translation>不是数字</translation>
    </message>
    <message>
        <source>a finite number</source>
        <translation>有限的数字</translation>
    </message>
    <message>
        <source>Write numbers with a decimal point.</source>
        <translation>请使用小数点书写数字。</translation>
    </message>
    <message>
        <source>Correct the cell, or remove the series.</source>
        <translation>请更正该单元格，或删除该序列。</translation>
    </message>
    <message>
        <source>a zero byte at offset %1: this is not a text file, or it is in UTF-16</source>
        <translation>偏移 %1 处有零字节：这不是文本文件，或其编码为 UTF-16</translation>
    </message>
    <message>
        <source>Save it in UTF-8, or give another file.</source>
        <translation>请以 UTF-8 编码保存，或给出其他文件。</translation>
    </message>
    <message>
        <source>the lines end with CR only</source>
        <translation>各行只以 CR 结尾</translation>
    </message>
    <message>
        <source>LF or CRLF as line ending</source>
        <translation>以 LF 或 CRLF 作为换行符</translation>
    </message>
    <message>
        <source>Save the file with another line ending.</source>
        <translation>请用其他换行符保存文件。</translation>
    </message>
    <message>
        <source>the file has only empty lines</source>
        <translation>文件只有空行</translation>
    </message>
    <message>
        <source>the file has a header and no series</source>
        <translation>文件有表头，但没有序列</translation>
    </message>
    <message>
        <source>this is no collection of series: its columns are %1</source>
        <translation>这不是序列集合：其列为 %1</translation>
    </message>
    <message>
        <source>For the files of M4, give the folder with Train and Test.</source>
        <translation>对于 M4 的文件，请给出包含 Train 和 Test 的文件夹。</translation>
    </message>
    <message>
        <source>the id of a series</source>
        <translation>序列的 id</translation>
    </message>
    <message>
        <source>at least %1: %2 test values (the horizon) and %3 training values</source>
        <translation>至少 %1 个：%2 个测试值（预测步长）和 %3 个训练值</translation>
    </message>
    <message>
        <source>Remove the series, or shorten the horizon.</source>
        <translation>请删除该序列，或缩短预测步长。</translation>
    </message>
    <message>
        <source>Remove one of the rows.</source>
        <translation>请删除其中一行。</translation>
    </message>
    <message>
        <source>the file has a header and no rows</source>
        <translation>文件有表头，但没有数据行</translation>
    </message>
    <message>
        <source>a row per value</source>
        <translation>每个值一行</translation>
    </message>
    <message>
        <source>The longest horizon that fits is %1.</source>
        <translation>可用的最长预测步长为 %1。</translation>
    </message>
    <message>
        <source>No horizon fits this lookback: shorten data.lookback.</source>
        <translation>此回看窗口容不下任何预测步长：请缩短 data.lookback。</translation>
    </message>
    <message>
        <source>the %1 part has %2 rows at data.percent = %3 (%4), no window fits</source>
        <translation>%1部分在 data.percent = %3 时有 %2 行（%4），容不下任何窗口</translation>
    </message>
    <message>
        <source>at least %1 rows (lookback %2 and horizon %3)</source>
        <translation>至少 %1 行（回看窗口 %2 和预测步长 %3）</translation>
    </message>
    <message>
        <source>at least %1 rows (the horizon)</source>
        <translation>至少 %1 行（预测步长）</translation>
    </message>
    <message>
        <source>the file has %1 rows</source>
        <translation>文件有 %1 行</translation>
    </message>
    <message>
        <source>at least %1 + %2 + %3 rows for %4</source>
        <translation>对 %4 至少 %1 + %2 + %3 行</translation>
    </message>
    <message>
        <source>Use data.split = &quot;ratio&quot; or smaller row counts.</source>
        <translation>请使用 data.split = &quot;ratio&quot; 或较小的行数。</translation>
    </message>
    <message>
        <source>%1 row is missing</source>
        <translation>缺少 %1 行</translation>
    </message>
    <message>
        <source>%1 rows are missing</source>
        <translation>缺少 %1 行</translation>
    </message>
    <message>
        <source>rows are missing</source>
        <translation>缺少一些行</translation>
    </message>
    <message>
        <source>gap from %1 to %2: %3</source>
        <translation>%1 至 %2 有间断：%3</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; holds the same value on every row; its scale is set to 1</source>
        <translation>列 &quot;%1&quot; 每行的值都相同；其缩放设为 1</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; holds %2 once, far from its other values: probably a marker for missing values</source>
        <translation>列 &quot;%1&quot; 中 %2 出现一次，与其他值相差很大：可能是缺失值的标记</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; holds %2 %3 times, far from its other values: probably a marker for missing values</source>
        <translation>列 &quot;%1&quot; 中 %2 出现 %3 次，与其他值相差很大：可能是缺失值的标记</translation>
    </message>
    <message>
        <source>... and %1 more %2</source>
        <translation>……另有 %1 个%2</translation>
    </message>
    <message>
        <source>without coverage</source>
        <translation>无覆盖</translation>
    </message>
    <message>
        <source>the metric is unknown</source>
        <translation>该指标未知</translation>
    </message>
    <message>
        <source>no run with %1</source>
        <translation>没有 %1 的运行</translation>
    </message>
    <message>
        <source>no seed in common with %1 (%2 against %3)</source>
        <translation>与 %1 没有共同的随机种子（%2 对 %3）</translation>
    </message>
    <message>
        <source>%1 run is not compared:</source>
        <translation>%1 个运行未比较：</translation>
    </message>
    <message>
        <source>%1 runs are not compared:</source>
        <translation>%1 个运行未比较：</translation>
    </message>
    <message>
        <source>%1 of %2 runs is not compared:</source>
        <translation>%2 个运行中的 %1 个未比较：</translation>
    </message>
    <message>
        <source>%1 of %2 runs are not compared:</source>
        <translation>%2 个运行中的 %1 个未比较：</translation>
    </message>
    <message>
        <source>; and in %1 more tasks</source>
        <translation>；另有 %1 个任务也是如此</translation>
    </message>
    <message>
        <source>; and in %1 more task</source>
        <translation>；另有 %1 个任务也是如此</translation>
    </message>
    <message>
        <source>Comparisons over series follow when no run is queued or running.</source>
        <translation>没有排队或正在进行的运行时，才会按序列比较。</translation>
    </message>
    <message>
        <source>%1: %2 and %3 are not compared over series: %4.</source>
        <translation>%1：未按序列比较 %2 和 %3：%4。</translation>
    </message>
    <message>
        <source>%1-%2: test errors are over the %3 of %4 windows of which all compared runs have forecasts</source>
        <translation>%1-%2：测试误差只取自 %4 个窗口中的 %3 个，即所有参与比较的运行都有预测的窗口</translation>
    </message>
    <message>
        <source>; left out, because their test forecasts are not stored: %1</source>
        <translation>；因未存储测试预测而省略：%1</translation>
    </message>
    <message>
        <source>a window begins at row %1</source>
        <translation>一个窗口从第 %1 行开始</translation>
    </message>
    <message>
        <source>a row of the data set</source>
        <translation>数据集的一行</translation>
    </message>
    <message>
        <source>%1; finding a difference of %2 takes about %3 more seed</source>
        <translation>%1；要发现 %2 的差异，约需再增加 %3 个随机种子</translation>
    </message>
    <message>
        <source>%1; finding a difference of %2 takes about %3 more seeds</source>
        <translation>%1；要发现 %2 的差异，约需再增加 %3 个随机种子</translation>
    </message>
    <message>
        <source>More seeds: with them, the test finds a difference of %1 of the base in 80 % of cases (p &lt; %2), if the spread stays as in these pairs.</source>
        <translation>再增加的随机种子：若离散程度仍与这些配对相同，增加后检验在 80 % 的情况下能发现相当于对照 %1 的差异（p &lt; %2）。</translation>
    </message>
    <message>
        <source>in words</source>
        <translation>文字表述</translation>
    </message>
    <message>
        <source>$p$ (Holm)</source>
        <translation>$p$ (Holm)</translation>
    </message>
    <message>
        <source>%1: says nothing about seed noise</source>
        <translation>%1：不能说明种子噪声</translation>
    </message>
    <message>
        <source>%1: says nothing about others</source>
        <translation>%1：不能说明其他情况</translation>
    </message>
    <message>
        <source>%1: equal results</source>
        <translation>%1：结果相同</translation>
    </message>
    <message>
        <source>%1: within seed noise (%2)</source>
        <translation>%1：在种子噪声范围内（%2）</translation>
    </message>
    <message>
        <source>%1: no consistent difference (%2)</source>
        <translation>%1：没有一致的差异（%2）</translation>
    </message>
    <message>
        <source>%1, and %2 after Holm&apos;s correction over %3 tests</source>
        <translation>%1，且对 %3 个检验作 Holm 校正后 %2</translation>
    </message>
    <message>
        <source>%1, but %2 after Holm&apos;s correction over %3 tests</source>
        <translation>%1，但对 %3 个检验作 Holm 校正后 %2</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>%1 run is missing</source>
        <translation>缺少 %1 个运行</translation>
    </message>
    <message>
        <source>%1 runs are missing</source>
        <translation>缺少 %1 个运行</translation>
    </message>
    <message>
        <source>: up to about %1 on this computer, one after another and without early stopping</source>
        <translation>：在本机上逐个进行且不早停，最多约需 %1</translation>
    </message>
    <message>
        <source>Their time is unknown</source>
        <translation>其时间未知</translation>
    </message>
    <message>
        <source>The time of %1 of them is unknown</source>
        <translation>其中 %1 个的时间未知</translation>
    </message>
    <message>
        <source>%1 run is not in the values: %2: %3</source>
        <translation>%1 个运行未计入数值：%2：%3</translation>
    </message>
    <message>
        <source>%1 runs are not in the values: %2: %3</source>
        <translation>%1 个运行未计入数值：%2：%3</translation>
    </message>
    <message>
        <source>Average of %1</source>
        <translation>%1 的平均</translation>
    </message>
    <message>
        <source>%1: runs of %2 are missing, so it cannot be compared with Average.</source>
        <translation>%1：缺少 %2 的运行，因此无法与“Average”比较。</translation>
    </message>
    <message>
        <source>%1 is no table of the paper</source>
        <translation>%1 不是论文的表格</translation>
    </message>
    <message>
        <source>Nearest name: %1.</source>
        <translation>最接近的名称：%1。</translation>
    </message>
    <message>
        <source>%1 (%2 of %3 seeds)</source>
        <translation>%1（%3 个随机种子中的 %2 个）</translation>
    </message>
    <message>
        <source>%1 (%2 of %3 pairs)</source>
        <translation>%1（%3 个配对中的 %2 个）</translation>
    </message>
    <message>
        <source>(add the settings above with --set)</source>
        <translation>（用 --set 加上上述设置）</translation>
    </message>
    <message>
        <source>%1 models or data that this version does not have.</source>
        <translation>%1需要此版本没有的模型或数据。</translation>
    </message>
    <message>
        <source>%1 further run with other settings is left out: %2.</source>
        <translation>另有 %1 个设置不同的运行被省略：%2。</translation>
    </message>
    <message>
        <source>%1 further runs with other settings are left out: %2.</source>
        <translation>另有 %1 个设置不同的运行被省略：%2。</translation>
    </message>
    <message>
        <source>Our settings other than the paper&apos;s: %1.</source>
        <translation>本程序与论文不同的设置：%1。</translation>
    </message>
    <message>
        <source>Omitted: %1 run %2</source>
        <translation>省略：%1 个运行%2</translation>
    </message>
    <message>
        <source>Omitted: %1 runs %2</source>
        <translation>省略：%1 个运行%2</translation>
    </message>
    <message>
        <source>Runs of the same task differ in look-back (%1).</source>
        <translation>同一任务的运行回看窗口不同（%1）。</translation>
    </message>
    <message>
        <source>there is no such folder</source>
        <translation>没有此文件夹</translation>
    </message>
    <message>
        <source>a folder with runs</source>
        <translation>包含运行的文件夹</translation>
    </message>
    <message>
        <source>case %1 has other settings in %2 than in %3 (%4 = %5 instead of %6); it is compared as %7</source>
        <translation>情形 %1 在 %2 中的设置与在 %3 中不同（%4 = %5，而不是 %6）；它以 %7 参与比较</translation>
    </message>
    <message>
        <source>scores of its series are not stored (run.store_forecasts)</source>
        <translation>其各序列的得分未存储（run.store_forecasts）</translation>
    </message>
    <message>
        <source>the data sets differ</source>
        <translation>数据集不同</translation>
    </message>
    <message>
        <source>the series differ</source>
        <translation>序列不同</translation>
    </message>
    <message>
        <source>it is a file</source>
        <translation>这是一个文件</translation>
    </message>
    <message>
        <source>Unpack an archive first (tar -xf NAME.tar.gz).</source>
        <translation>请先解包归档（tar -xf NAME.tar.gz）。</translation>
    </message>
    <message>
        <source>no run is in this folder</source>
        <translation>此文件夹中没有运行</translation>
    </message>
    <message>
        <source>a run, a batch or a folder of batches (up to %1 levels below)</source>
        <translation>一个运行、一个批处理或包含批处理的文件夹（最多向下 %1 级）</translation>
    </message>
    <message>
        <source>the data file has another content</source>
        <translation>数据文件的内容不同</translation>
    </message>
    <message>
        <source>the data file is not here or cannot be read</source>
        <translation>数据文件不在此处，或无法读取</translation>
    </message>
    <message>
        <source>the run is not finished</source>
        <translation>该运行未完成</translation>
    </message>
    <message>
        <source>seconds and peak_memory are measured: compared between run.json and the tables only</source>
        <translation>seconds 和 peak_memory 为实测值：只在 run.json 与各表格之间比较</translation>
    </message>
    <message>
        <source>it is missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>the metrics of the run</source>
        <translation>该运行的指标</translation>
    </message>
    <message>
        <source>this version cannot read the settings of the run</source>
        <translation>此版本无法读取该运行的设置</translation>
    </message>
    <message>
        <source>metrics against forecasts: no forecasts are stored (run.store_forecasts)</source>
        <translation>依据预测核对指标：没有存储预测（run.store_forecasts）</translation>
    </message>
    <message>
        <source>metrics against forecasts: they are not stored (run.store_forecasts)</source>
        <translation>依据预测核对指标：预测未存储（run.store_forecasts）</translation>
    </message>
    <message>
        <source>truth, persistence forecast and MASE against the data: %1</source>
        <translation>依据数据核对真实值、持续性预测和 MASE：%1</translation>
    </message>
    <message>
        <source>key_cosine needs the weights: compared between run.h5, run.json and the tables only</source>
        <translation>key_cosine 需要权重：只在 run.h5、run.json 与各表格之间比较</translation>
    </message>
    <message>
        <source>/forecast/test/selected, retrievals of anchor %1</source>
        <translation>/forecast/test/selected，锚点 %1 的检索</translation>
    </message>
    <message>
        <source>best.safetensors: run.h5 has no digest of it (earlier version)</source>
        <translation>best.safetensors：run.h5 中没有其校验和（较早的版本）</translation>
    </message>
    <message>
        <source>%1 is not here</source>
        <translation>%1 不在此处</translation>
    </message>
    <message>
        <source>row, case</source>
        <translation>row，case</translation>
    </message>
    <message>
        <source>row, test %1</source>
        <translation>row，test %1</translation>
    </message>
    <message>
        <source>row, run</source>
        <translation>row，run</translation>
    </message>
    <message>
        <source>%1 (in results.csv; one of the two has changed)</source>
        <translation>%1（在 results.csv 中；两者之一已更改）</translation>
    </message>
    <message>
        <source>a table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>none: the runs give nothing to compare</source>
        <translation>无：这些运行没有可比较的内容</translation>
    </message>
    <message>
        <source>no such line</source>
        <translation>没有此行</translation>
    </message>
    <message>
        <source>it is formatted in another way</source>
        <translation>其格式不同</translation>
    </message>
    <message>
        <source>the text as it was written</source>
        <translation>写入时的文本</translation>
    </message>
    <message>
        <source>cannot be written: %1</source>
        <translation>无法写入：%1</translation>
    </message>
    <message>
        <source>cannot be emptied: %1</source>
        <translation>无法清空：%1</translation>
    </message>
    <message>
        <source>this is a link</source>
        <translation>这是一个链接</translation>
    </message>
    <message>
        <source>a part of a download</source>
        <translation>下载的一部分</translation>
    </message>
    <message>
        <source>Remove it.</source>
        <translation>请将其删除。</translation>
    </message>
    <message>
        <source>Choose a folder you may write to.</source>
        <translation>请选择一个可写入的文件夹。</translation>
    </message>
    <message>
        <source>another process is downloading this file</source>
        <translation>另一个进程正在下载此文件</translation>
    </message>
    <message>
        <source>Wait until it has finished.</source>
        <translation>请等待其完成。</translation>
    </message>
    <message>
        <source>cannot be locked: %1</source>
        <translation>无法锁定：%1</translation>
    </message>
    <message>
        <source>The file system does not support locks: choose a folder on another one.</source>
        <translation>该文件系统不支持锁：请选择其他文件系统上的文件夹。</translation>
    </message>
    <message>
        <source>the server sends more than the expected size</source>
        <translation>服务器发送的内容超过预期大小</translation>
    </message>
    <message>
        <source>The file at that address has changed.</source>
        <translation>该地址的文件已更改。</translation>
    </message>
    <message>
        <source>the connection ended before the end of the file</source>
        <translation>连接在文件传输完之前结束</translation>
    </message>
    <message>
        <source>The received part is kept: try again later to resume the download.</source>
        <translation>已接收的部分会保留：请稍后重试以继续下载。</translation>
    </message>
    <message>
        <source>Check the network connection and try again later.</source>
        <translation>请检查网络连接，稍后重试。</translation>
    </message>
    <message>
        <source>the file has %1 bytes</source>
        <translation>文件有 %1 字节</translation>
    </message>
    <message>
        <source>the file&apos;s SHA-256 is %1</source>
        <translation>文件的 SHA-256 为 %1</translation>
    </message>
    <message>
        <source>the folder cannot be created: %1</source>
        <translation>无法创建文件夹：%1</translation>
    </message>
    <message>
        <source>this is not %1: %2</source>
        <translation>这不是 %1：%2</translation>
    </message>
    <message>
        <source>no digest of %1 is known; it has the expected %2</source>
        <translation>没有 %1 的已知校验和；其大小符合预期：%2</translation>
    </message>
    <message>
        <source>its weights are not those of OpenAI GPT-2 small</source>
        <translation>其权重不是 OpenAI GPT-2 small 的权重</translation>
    </message>
    <message>
        <source>148 tensors with known SHA-256</source>
        <translation>148 个 SHA-256 已知的张量</translation>
    </message>
    <message>
        <source>the weights are those of OpenAI GPT-2 small, tensor by tensor</source>
        <translation>权重是 OpenAI GPT-2 small 的权重，每个张量都相符</translation>
    </message>
    <message>
        <source>It was not replaced, since it may be yours: rename or remove it and fetch again, or fetch to another folder (--to DIR).</source>
        <translation>该文件可能是您的，因此未被替换：请重命名或删除它后重新获取，或获取到其他文件夹（--to DIR）。</translation>
    </message>
    <message>
        <source>the weights are not those of OpenAI GPT-2 small: an unknown checkpoint</source>
        <translation>权重不是 OpenAI GPT-2 small 的权重：未知的检查点</translation>
    </message>
    <message>
        <source>%1: already present (remove %2 to fetch it again)</source>
        <translation>%1：已有（删除 %2 可重新获取）</translation>
    </message>
    <message>
        <source>%1: not fetched; try again with caspstudio --fetch %2</source>
        <translation>%1：未获取；请用 caspstudio --fetch %2 重试</translation>
    </message>
    <message>
        <source>no working public address is known</source>
        <translation>没有已知的可用公开地址</translation>
    </message>
    <message>
        <source>Download it manually from %1 and save it as %2.</source>
        <translation>请从 %1 手动下载，并保存为 %2。</translation>
    </message>
    <message>
        <source>cannot be created: %1</source>
        <translation>无法创建：%1</translation>
    </message>
    <message>
        <source>fetching %1 (licence: %2)</source>
        <translation>正在获取 %1（许可证：%2）</translation>
    </message>
    <message>
        <source>%1 bytes, SHA-256 %2</source>
        <translation>%1 字节，SHA-256 %2</translation>
    </message>
    <message>
        <source>%1 bytes remain to be downloaded, but only %2 are free on this disk</source>
        <translation>还需下载 %1 字节，但此磁盘只有 %2 字节可用</translation>
    </message>
    <message>
        <source>Make room, or choose another folder.</source>
        <translation>请腾出空间，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>Make room on that disk, or choose another folder.</source>
        <translation>请在该磁盘上腾出空间，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>cannot be started</source>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>this address cannot be fetched: %1</source>
        <translation>无法获取此地址：%1</translation>
    </message>
    <message>
        <source>the server&apos;s certificate cannot be verified: %1</source>
        <translation>无法验证服务器的证书：%1</translation>
    </message>
    <message>
        <source>Check the system&apos;s clock and certificates (package ca-certificates).</source>
        <translation>请检查系统的时钟和证书（软件包 ca-certificates）。</translation>
    </message>
    <message>
        <source>the server does not have this file (HTTP %1)</source>
        <translation>服务器没有此文件（HTTP %1）</translation>
    </message>
    <message>
        <source>Check the address.</source>
        <translation>请检查地址。</translation>
    </message>
    <message>
        <source>the server refused the request (HTTP %1)</source>
        <translation>服务器拒绝了请求（HTTP %1）</translation>
    </message>
    <message>
        <source>Check the address and whether it is public.</source>
        <translation>请检查地址及其是否公开。</translation>
    </message>
    <message>
        <source>the server reported an error (HTTP %1)</source>
        <translation>服务器报告了错误（HTTP %1）</translation>
    </message>
    <message>
        <source>unexpected response of the server (HTTP %1)</source>
        <translation>服务器的响应异常（HTTP %1）</translation>
    </message>
    <message>
        <source>the connection failed: %1</source>
        <translation>连接失败：%1</translation>
    </message>
    <message>
        <source>no data set was given</source>
        <translation>没有给出数据集</translation>
    </message>
    <message>
        <source>a data set to evaluate on</source>
        <translation>用于评估的数据集</translation>
    </message>
    <message>
        <source>Add --data FILE.csv.</source>
        <translation>请添加 --data FILE.csv。</translation>
    </message>
    <message>
        <source>Close other programs, raise the memory limit of this one</source>
        <translation>关闭其他程序，提高本程序的内存限制</translation>
    </message>
    <message>
        <source>Free memory on %1, add --set run.device=cpu</source>
        <translation>释放 %1 上的内存，添加 --set run.device=cpu</translation>
    </message>
    <message>
        <source>it carries no settings: its metadata have no &quot;config&quot;</source>
        <translation>其中没有设置：其元数据没有 &quot;config&quot;</translation>
    </message>
    <message>
        <source>a checkpoint that CASP Studio wrote</source>
        <translation>由 CASP Studio 写入的检查点</translation>
    </message>
    <message>
        <source>For other checkpoints, pass the training settings: --set data.lookback=…, --set data.horizon=… and whatever else is not the default (--list-options, --list-presets).</source>
        <translation>对于其他检查点，请给出训练时的设置：--set data.lookback=…、--set data.horizon=… 以及所有其他非默认的设置（--list-options、--list-presets）。</translation>
    </message>
    <message>
        <source>best.safetensors is missing</source>
        <translation>缺少 best.safetensors</translation>
    </message>
    <message>
        <source>the folder of a run that was trained</source>
        <translation>训练过的运行的文件夹</translation>
    </message>
    <message>
        <source>Give the folder of another run, or a .safetensors file.</source>
        <translation>请给出其他运行的文件夹，或一个 .safetensors 文件。</translation>
    </message>
    <message>
        <source>%1 (its configuration)</source>
        <translation>%1（其配置）</translation>
    </message>
    <message>
        <source>a folder of this run</source>
        <translation>此运行的文件夹</translation>
    </message>
    <message>
        <source>Remove it: a run is written only in its own folder.</source>
        <translation>请将其删除：运行只写入自己的文件夹。</translation>
    </message>
    <message>
        <source>the previous content of arrays.h5 is not kept: %1</source>
        <translation>arrays.h5 之前的内容未保留：%1</translation>
    </message>
    <message>
        <source>the run is on a collection of series</source>
        <translation>该运行使用的是序列集合</translation>
    </message>
    <message>
        <source>a run on a table</source>
        <translation>使用表格的运行</translation>
    </message>
    <message>
        <source>The forecasts of its series are in %1.</source>
        <translation>其各序列的预测在 %1 中。</translation>
    </message>
    <message>
        <source>The forecasts of its series are in the run&apos;s submission.csv.</source>
        <translation>其各序列的预测在该运行的 submission.csv 中。</translation>
    </message>
    <message>
        <source>the run&apos;s data set, whose validation windows give the intervals</source>
        <translation>该运行的数据集，区间由其验证窗口得出</translation>
    </message>
    <message>
        <source>the file has changed since the run: its SHA-256 is not that of run.h5</source>
        <translation>文件在运行之后已更改：其 SHA-256 与 run.h5 中的不同</translation>
    </message>
    <message>
        <source>Restore it, name a copy with --set data.path=FILE, or omit --level.</source>
        <translation>请恢复该文件，用 --set data.path=FILE 指定其副本，或省略 --level。</translation>
    </message>
    <message>
        <source>it is split or cleaned in another way than in the run: the scaler is not that of run.h5</source>
        <translation>其划分或清理方式与运行中不同：标准化器与 run.h5 中的不同</translation>
    </message>
    <message>
        <source>Omit --set data.… or --level.</source>
        <translation>请省略 --set data.… 或 --level。</translation>
    </message>
    <message>
        <source>the run has %1 validation windows</source>
        <translation>该运行有 %1 个验证窗口</translation>
    </message>
    <message>
        <source>at least %1, or the intervals are infinite</source>
        <translation>至少 %1 个，否则区间为无穷大</translation>
    </message>
    <message>
        <source>Choose a lower level, or a run with more validation rows.</source>
        <translation>请选择较低的水平，或验证行更多的运行。</translation>
    </message>
    <message>
        <source>the errors of the validation windows take %1</source>
        <translation>验证窗口的误差占用 %1</translation>
    </message>
    <message>
        <source>at most the free memory, %1</source>
        <translation>至多为可用内存 %1</translation>
    </message>
    <message>
        <source>Close other programs, or omit --level.</source>
        <translation>请关闭其他程序，或省略 --level。</translation>
    </message>
    <message>
        <source>%1 % intervals: from %2 validation windows; they cover %3 % of the values in %4 test windows</source>
        <translation>%1 % 区间：由 %2 个验证窗口得出；覆盖 %4 个测试窗口中 %3 % 的值</translation>
    </message>
    <message>
        <source>Set train.batch_size to a smaller number (--set train.batch_size=1), or omit --level.</source>
        <translation>请将 train.batch_size 设为较小的数（--set train.batch_size=1），或省略 --level。</translation>
    </message>
    <message>
        <source>run.h5 is missing</source>
        <translation>缺少 run.h5</translation>
    </message>
    <message>
        <source>the folder of a run</source>
        <translation>运行的文件夹</translation>
    </message>
    <message>
        <source>Runs are in the folder of their batch: DIR/NAME/RUN.</source>
        <translation>运行在其批处理的文件夹中：DIR/NAME/RUN。</translation>
    </message>
    <message>
        <source>the run is %1</source>
        <translation>该运行的状态为 %1</translation>
    </message>
    <message>
        <source>a finished run, which has test forecasts</source>
        <translation>已完成的运行，它有测试预测</translation>
    </message>
    <message>
        <source>Resume it with --batch FILE --resume.</source>
        <translation>请用 --batch FILE --resume 继续该运行。</translation>
    </message>
    <message>
        <source>a run with stored test forecasts</source>
        <translation>存储了测试预测的运行</translation>
    </message>
    <message>
        <source>Start a run with run.store_forecasts = [&quot;test&quot;].</source>
        <translation>请用 run.store_forecasts = [&quot;test&quot;] 启动一个运行。</translation>
    </message>
    <message>
        <source>Choose another one.</source>
        <translation>请另选一个。</translation>
    </message>
    <message>
        <source>the window is not within the data set</source>
        <translation>该窗口不在数据集范围内</translation>
    </message>
    <message>
        <source>its windows and channels are not those of run.h5</source>
        <translation>其窗口和通道与 run.h5 中的不同</translation>
    </message>
    <message>
        <source>those of this run</source>
        <translation>此运行的窗口和通道</translation>
    </message>
    <message>
        <source>the run&apos;s column %1 is missing or without numbers</source>
        <translation>该运行的列 %1 缺失或没有数字</translation>
    </message>
    <message>
        <source>the run&apos;s columns %1 are missing or without numbers</source>
        <translation>该运行的列 %1 缺失或没有数字</translation>
    </message>
    <message>
        <source>all %1 channels of the run, by name</source>
        <translation>该运行的全部 %1 个通道，按名称</translation>
    </message>
    <message>
        <source>The file has %1.</source>
        <translation>文件有 %1。</translation>
    </message>
    <message>
        <source>column %1 has no value</source>
        <translation>列 %1 没有值</translation>
    </message>
    <message>
        <source>%1 at an origin, and interpolation would read later rows</source>
        <translation>%1（在预测起点处），而插值会读取之后的行</translation>
    </message>
    <message>
        <source>a number in every cell of the last %1 rows</source>
        <translation>最后 %1 行的每个单元格都有数字</translation>
    </message>
    <message>
        <source>Fill them, or choose fewer --origins.</source>
        <translation>请填充这些单元格，或减少 --origins。</translation>
    </message>
    <message>
        <source>Fill them, or add --set data.missing=interpolate.</source>
        <translation>请填充这些单元格，或添加 --set data.missing=interpolate。</translation>
    </message>
    <message>
        <source>it has %1 row</source>
        <translation>文件有 %1 行</translation>
    </message>
    <message>
        <source>it has %1 rows</source>
        <translation>文件有 %1 行</translation>
    </message>
    <message>
        <source>at least the look-back of the model, %1 rows</source>
        <translation>至少为模型的回看窗口，即 %1 行</translation>
    </message>
    <message>
        <source>at least %1 rows: the look-back of the model, %2, up to each of %3 origins</source>
        <translation>至少 %1 行：%3 个起点中每个起点之前都须有模型的回看窗口 %2 行</translation>
    </message>
    <message>
        <source>Choose fewer --origins.</source>
        <translation>请减少 --origins。</translation>
    </message>
    <message>
        <source>it has no time column</source>
        <translation>没有时间列</translation>
    </message>
    <message>
        <source>times, which the model reads</source>
        <translation>模型所读取的时间</translation>
    </message>
    <message>
        <source>Name the column with --set data.csv.time_column=NAME.</source>
        <translation>请用 --set data.csv.time_column=NAME 指定该列。</translation>
    </message>
    <message>
        <source>the rows are %1 apart; those of the run&apos;s data set %2</source>
        <translation>各行间隔 %1；该运行的数据集的各行间隔 %2</translation>
    </message>
    <message>
        <source>live views of the anchors are disabled for this run: %1</source>
        <translation>此运行的锚点实时视图已停用：%1</translation>
    </message>
    <message>
        <source>Repeated with the weights: %1 of %2 forecasts of %3 run, %4.</source>
        <translation>用权重重复计算：%3 个运行的 %2 个预测中的 %1 个，%4。</translation>
    </message>
    <message>
        <source>Repeated with the weights: %1 of %2 forecasts of %3 runs, %4.</source>
        <translation>用权重重复计算：%3 个运行的 %2 个预测中的 %1 个，%4。</translation>
    </message>
    <message>
        <source>%1/selected has %2 anchors per row</source>
        <translation>%1/selected 每行有 %2 个锚点</translation>
    </message>
    <message>
        <source>%1, as the model retrieves</source>
        <translation>%1 个，与模型的检索一致</translation>
    </message>
    <message>
        <source>no forecasts are stored (run.store_forecasts)</source>
        <translation>没有存储预测（run.store_forecasts）</translation>
    </message>
    <message>
        <source>best.safetensors is not here</source>
        <translation>best.safetensors 不在此处</translation>
    </message>
    <message>
        <source>best.safetensors is not that of the run</source>
        <translation>best.safetensors 不是该运行的文件</translation>
    </message>
    <message>
        <source>since a GPU is used, or processor, LibTorch, threads or program version differ from the run&apos;s</source>
        <translation>因为使用了 GPU，或处理器、LibTorch、线程数或程序版本与该运行不同</translation>
    </message>
    <message>
        <source>the data set has other %1 windows</source>
        <translation>数据集的 %1 窗口不同</translation>
    </message>
    <message>
        <source>Close other programs, or omit --repeat.</source>
        <translation>请关闭其他程序，或省略 --repeat。</translation>
    </message>
    <message>
        <source>there is no snapshot of step %1</source>
        <translation>没有第 %1 步的快照</translation>
    </message>
    <message>
        <source>one of step %1</source>
        <translation>第 %1 步的快照</translation>
    </message>
    <message>
        <source>Snapshots are kept with run.store_embeddings = true.</source>
        <translation>设置 run.store_embeddings = true 时会保留快照。</translation>
    </message>
    <message>
        <source>this snapshot has embeddings of a few validation windows but no weights to compute others: it was written by an older version</source>
        <translation>此快照有少量验证窗口的嵌入，但没有计算其他窗口的嵌入所需的权重：它由较旧的版本写入</translation>
    </message>
    <message>
        <source>Use those windows, or train the run again.</source>
        <translation>请使用这些窗口，或重新训练该运行。</translation>
    </message>
    <message>
        <source>its anchors have %1 values</source>
        <translation>其锚点有 %1 个值</translation>
    </message>
    <message>
        <source>%1 (V&apos; × d)</source>
        <translation>%1（V&apos; × d）</translation>
    </message>
    <message>
        <source>This snapshot belongs to another model.</source>
        <translation>此快照属于另一个模型。</translation>
    </message>
    <message>
        <source>it has no tensor %1 of shape %2</source>
        <translation>它没有形状为 %2 的张量 %1</translation>
    </message>
    <message>
        <source>This snapshot belongs to another model or is damaged.</source>
        <translation>此快照属于另一个模型，或已损坏。</translation>
    </message>
    <message>
        <source>the training step of these weights is unknown</source>
        <translation>这些权重的训练步未知</translation>
    </message>
    <message>
        <source>Embeddings can be stored for the best weights of a finished run, or for runs with a run.h5.</source>
        <translation>可以存储已完成运行的最佳权重的嵌入，或有 run.h5 的运行的嵌入。</translation>
    </message>
    <message>
        <source>the run&apos;s snapshot of this step is stored there, with the weights that these embeddings were computed from</source>
        <translation>该处存储着该运行在此步的快照，包括计算这些嵌入所用的权重</translation>
    </message>
    <message>
        <source>Close other programs to free memory</source>
        <translation>请关闭其他程序以释放内存</translation>
    </message>
    <message>
        <source>%1, or compute the embeddings of at most %2 windows instead of reading the stored ones.</source>
        <translation>%1，或计算至多 %2 个窗口的嵌入，而不读取已存储的嵌入。</translation>
    </message>
    <message>
        <source>there is no window %1</source>
        <translation>没有窗口 %1</translation>
    </message>
    <message>
        <source>numbers below %1</source>
        <translation>小于 %1 的编号</translation>
    </message>
    <message>
        <source>there is no channel %1</source>
        <translation>没有通道 %1</translation>
    </message>
    <message>
        <source>the channels of its rows are not stored</source>
        <translation>未存储其各行的通道</translation>
    </message>
    <message>
        <source>Compute the embeddings again.</source>
        <translation>请重新计算嵌入。</translation>
    </message>
    <message>
        <source>%1 (windows × channels)</source>
        <translation>%1（窗口 × 通道）</translation>
    </message>
    <message>
        <source>its vectors, windows and channels do not match</source>
        <translation>其向量、窗口和通道不相符</translation>
    </message>
    <message>
        <source>This snapshot is not shown; the others are.</source>
        <translation>此快照不显示；其他快照会显示。</translation>
    </message>
    <message>
        <source>the low-frequency fraction has no cutoff: the time between rows is unknown, or a season (a day, a week or a year) is not a whole number of rows, at least two</source>
        <translation>低频比例没有截止频率：行之间的时间未知，或一个周期（一天、一周或一年）的行数不是至少为 2 的整数</translation>
    </message>
    <message>
        <source>a time column</source>
        <translation>时间列</translation>
    </message>
    <message>
        <source>Choose another label for the strata.</source>
        <translation>请为分层选择其他标签。</translation>
    </message>
    <message>
        <source>this is not the run&apos;s data file (SHA-256 %1)</source>
        <translation>这不是该运行的数据文件（SHA-256 %1）</translation>
    </message>
    <message>
        <source>Restore the original file.</source>
        <translation>请恢复原文件。</translation>
    </message>
    <message>
        <source>run.h5, which lists the snapshots, is missing</source>
        <translation>缺少列出快照的 run.h5</translation>
    </message>
    <message>
        <source>Choose the best weights.</source>
        <translation>请选择最佳权重。</translation>
    </message>
    <message>
        <source>A run has one after its first epoch.</source>
        <translation>运行在第一轮之后才有最佳权重。</translation>
    </message>
    <message>
        <source>It is stored with run.save_initial = true.</source>
        <translation>设置 run.save_initial = true 时会存储初始权重。</translation>
    </message>
    <message>
        <source>A finished run keeps its last weights with run.keep_last = true.</source>
        <translation>设置 run.keep_last = true 时，已完成的运行会保留其末尾权重。</translation>
    </message>
    <message>
        <source>there are no %1 weights (%2)</source>
        <translation>没有 %1 权重（%2）</translation>
    </message>
    <message>
        <source>%1 windows were requested</source>
        <translation>请求了 %1 个窗口</translation>
    </message>
    <message>
        <source>0 (all of them) or more</source>
        <translation>0（全部）或更多</translation>
    </message>
    <message>
        <source>a channel is listed twice</source>
        <translation>有通道重复列出</translation>
    </message>
    <message>
        <source>each at most once</source>
        <translation>每个最多一次</translation>
    </message>
    <message>
        <source>there is no run (no config.toml)</source>
        <translation>没有运行（没有 config.toml）</translation>
    </message>
    <message>
        <source>the folder of a run that was started</source>
        <translation>已启动过的运行的文件夹</translation>
    </message>
    <message>
        <source>the run was trained on other rows: data.split = &quot;auto&quot; gives different rows here</source>
        <translation>该运行在其他行上训练：data.split = &quot;auto&quot; 在此处得到不同的行</translation>
    </message>
    <message>
        <source>the data file at its original path</source>
        <translation>位于原路径的数据文件</translation>
    </message>
    <message>
        <source>Request fewer channels, fewer windows, or no similarities, or close other programs.</source>
        <translation>请减少请求的通道或窗口、不请求相似度，或关闭其他程序。</translation>
    </message>
    <message>
        <source>Request fewer channels, or close other programs.</source>
        <translation>请减少请求的通道，或关闭其他程序。</translation>
    </message>
    <message>
        <source>Request at most %1 windows, fewer channels, or no similarities.</source>
        <translation>请至多请求 %1 个窗口、减少通道，或不请求相似度。</translation>
    </message>
    <message>
        <source>the embeddings of %1 windows and %2 channels take %3 MiB, and %4 MiB are free</source>
        <translation>%1 个窗口和 %2 个通道的嵌入占用 %3 MiB，而可用 %4 MiB</translation>
    </message>
    <message>
        <source>autoformer.factor = %1 keeps %2 of the %3 lags of the %4 rows of %5</source>
        <translation>autoformer.factor = %1 保留 %5 的 %4 行所具有的 %3 个滞后中的 %2 个</translation>
    </message>
    <message>
        <source>1 to all of them: factor times ln(rows), rounded down</source>
        <translation>1 个至全部：factor × ln(行数)，向下取整</translation>
    </message>
    <message>
        <source>%1 is no multiple of %2</source>
        <translation>%1 不是 %2 的倍数</translation>
    </message>
    <message>
        <source>a width that the number of heads divides</source>
        <translation>能被注意力头的数量整除的宽度</translation>
    </message>
    <message>
        <source>%1 channels are more tokens than %2 positions</source>
        <translation>%1 个通道，即词元数多于 %2 个位置</translation>
    </message>
    <message>
        <source>a backbone with at least as many positions as there are channels</source>
        <translation>位置数不少于通道数的骨干网络</translation>
    </message>
    <message>
        <source>Select fewer channels with data.columns.</source>
        <translation>请用 data.columns 选择较少的通道。</translation>
    </message>
    <message>
        <source>the MASE loss compares values one season of %1 apart, which data.lookback = %2 does not contain</source>
        <translation>MASE 损失比较相隔一个季节周期（%1）的值，而 data.lookback = %2 不包含这样的值</translation>
    </message>
    <message>
        <source>a look-back of more than %1 values</source>
        <translation>超过 %1 个值的回看窗口</translation>
    </message>
    <message>
        <source>Use another distance in calf.task_loss and calf.output_loss, or a longer look-back.</source>
        <translation>请在 calf.task_loss 和 calf.output_loss 中使用其他距离，或使用更长的回看窗口。</translation>
    </message>
    <message>
        <source>%1, %2 and %3 leave nothing to train</source>
        <translation>%1、%2 和 %3 没有留下可训练的内容</translation>
    </message>
    <message>
        <source>a weight above 0, e.g. calf.task_w = 1</source>
        <translation>大于 0 的权重，例如 calf.task_w = 1</translation>
    </message>
    <message>
        <source>%1 of at most %2</source>
        <translation>%1 不超过 %2</translation>
    </message>
    <message>
        <source>%1 are more than %2</source>
        <translation>%1 多于 %2</translation>
    </message>
    <message>
        <source>at most that many tokens</source>
        <translation>最多该数量的词元</translation>
    </message>
    <message>
        <source>%1 times %2 cannot be cut into %3 equal parts</source>
        <translation>%1 乘以 %2，无法按 %3 等分</translation>
    </message>
    <message>
        <source>tokens times width divisible by model.head_ways</source>
        <translation>词元数乘以宽度能被 model.head_ways 整除</translation>
    </message>
    <message>
        <source>%1 needs a date column, but %2</source>
        <translation>%1 需要日期列，但 %2</translation>
    </message>
    <message>
        <source>the name of the date column in data.csv.time_column</source>
        <translation>在 data.csv.time_column 中给出日期列的名称</translation>
    </message>
    <message>
        <source>%1 and %2 name the same column</source>
        <translation>%1 和 %2 指定了同一列</translation>
    </message>
    <message>
        <source>data.csv.clock_column = &quot;auto&quot; if one column holds date and time of day</source>
        <translation>若同一列含有日期和时刻，则 data.csv.clock_column = &quot;auto&quot;</translation>
    </message>
    <message>
        <source>%1 stores for the splits of run.store_forecasts, and there are none</source>
        <translation>%1 按 run.store_forecasts 中的划分存储，而其中没有划分</translation>
    </message>
    <message>
        <source>a split in run.store_forecasts, e.g. [&quot;test&quot;]</source>
        <translation>run.store_forecasts 中有一个划分，例如 [&quot;test&quot;]</translation>
    </message>
    <message>
        <source>%1, but %2 has no embeddings</source>
        <translation>%1，但 %2 没有嵌入</translation>
    </message>
    <message>
        <source>there is no model &quot;%1&quot;</source>
        <translation>没有模型 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>layers for each channel cannot be trained on batches of single channels</source>
        <translation>各通道单独的层无法用单通道的批次训练</translation>
    </message>
    <message>
        <source>data.batching = &quot;multi-channel&quot;, or dlinear.individual = false</source>
        <translation>data.batching = &quot;multi-channel&quot;，或 dlinear.individual = false</translation>
    </message>
    <message>
        <source>%1 forecasts a channel from all channels of its window and cannot be trained on batches of single channels</source>
        <translation>%1 根据窗口的所有通道预测一个通道，无法用单通道的批次训练</translation>
    </message>
    <message>
        <source>data.batching = &quot;multi-channel&quot;</source>
        <translation>data.batching = &quot;multi-channel&quot;</translation>
    </message>
    <message>
        <source>data.lookback = %1 has no frequencies for fedformer.modes = %2</source>
        <translation>data.lookback = %1 没有可供 fedformer.modes = %2 使用的频率</translation>
    </message>
    <message>
        <source>a look-back of at least 2 rows</source>
        <translation>至少 2 行的回看窗口</translation>
    </message>
    <message>
        <source>Get GPT-2 with caspstudio --fetch gpt2, or set backbone.path to a model.safetensors (or its folder), or set backbone.path = &quot;untrained&quot; to train on a backbone without knowledge.</source>
        <translation>请用 caspstudio --fetch gpt2 获取 GPT-2，或将 backbone.path 设为一个 model.safetensors（或其文件夹），或设置 backbone.path = &quot;untrained&quot;，在没有知识的骨干网络上训练。</translation>
    </message>
    <message>
        <source>%1 is not on this machine yet (it would be %2)</source>
        <translation>%1 尚不在本机上（应位于 %2）</translation>
    </message>
    <message>
        <source>the folder %1 has no model.safetensors</source>
        <translation>文件夹 %1 中没有 model.safetensors</translation>
    </message>
    <message>
        <source>there is no file %1</source>
        <translation>没有文件 %1</translation>
    </message>
    <message>
        <source>the weights of a GPT-2 with at least as many blocks as backbone.layers</source>
        <translation>块数不少于 backbone.layers 的 GPT-2 的权重</translation>
    </message>
    <message>
        <source>Set backbone.path to such a file, or lower backbone.layers.</source>
        <translation>请将 backbone.path 设为这样的文件，或减小 backbone.layers。</translation>
    </message>
    <message>
        <source>tensor %1 has shape %2</source>
        <translation>张量 %1 的形状为 %2</translation>
    </message>
    <message>
        <source>Set backbone.width, heads, vocabulary and positions to the checkpoint&apos;s sizes.</source>
        <translation>请将 backbone.width、heads、vocabulary 和 positions 设为检查点的大小。</translation>
    </message>
    <message>
        <source>%1 time steps from %2 and %3 are more than %4</source>
        <translation>由 %2 和 %3 得到的 %1 个时间步多于 %4</translation>
    </message>
    <message>
        <source>at most that many time steps</source>
        <translation>最多该数量的时间步</translation>
    </message>
    <message>
        <source>%1 patches from %2, %3 and %4 are more than %5</source>
        <translation>由 %2、%3 和 %4 得到的 %1 个片段多于 %5</translation>
    </message>
    <message>
        <source>at most that many patches</source>
        <translation>最多该数量的片段</translation>
    </message>
    <message>
        <source>patchtst.patch_len = %1 is longer than the padded window: data.lookback = %2 plus patchtst.stride = %3</source>
        <translation>patchtst.patch_len = %1 长于填充后的窗口：data.lookback = %2 加上 patchtst.stride = %3</translation>
    </message>
    <message>
        <source>a patch_len of at most %1</source>
        <translation>patch_len 不超过 %1</translation>
    </message>
    <message>
        <source>the season is not known: the file has no time column</source>
        <translation>季节周期未知：文件没有时间列</translation>
    </message>
    <message>
        <source>rows at a regular step, such as 15 minutes, an hour, a day or a month</source>
        <translation>间隔固定的行，例如 15 分钟、一小时、一天或一个月</translation>
    </message>
    <message>
        <source>Use model.name = &quot;naive&quot;, or name the time column of the file.</source>
        <translation>请使用 model.name = &quot;naive&quot;，或指定文件的时间列。</translation>
    </message>
    <message>
        <source>a season of %1 rows does not fit into data.lookback = %2</source>
        <translation>data.lookback = %2 容纳不下一个 %1 行的季节周期</translation>
    </message>
    <message>
        <source>a look-back of at least %1 rows</source>
        <translation>至少 %1 行的回看窗口</translation>
    </message>
    <message>
        <source>%1 tokens (3 components of %2 patches from %3, %4 and %5, and %6 of the prompt) are more than %7</source>
        <translation>%1 个词元（3 个分量，各有来自 %3、%4 和 %5 的 %2 个片段及 %6 个提示词元）多于 %7</translation>
    </message>
    <message>
        <source>its type is %1</source>
        <translation>其类型为 %1</translation>
    </message>
    <message>
        <source>Convert the tensor and write the file again, or use one that CASP Studio wrote.</source>
        <translation>请转换该张量并重新写入文件，或使用由 CASP Studio 写入的文件。</translation>
    </message>
    <message>
        <source>its values differ from those of &quot;%1&quot;</source>
        <translation>其值与 &quot;%1&quot; 的值不同</translation>
    </message>
    <message>
        <source>equal values: layers of this model share the tensor</source>
        <translation>相等的值：此模型的各层共享该张量</translation>
    </message>
    <message>
        <source>Write the file again from a model that shares it.</source>
        <translation>请由共享该张量的模型重新写入文件。</translation>
    </message>
    <message>
        <source>Time-LLM&apos;s prompts are made of GPT-2&apos;s tokens, and there is no vocab.json beside the backbone or in the cache</source>
        <translation>Time-LLM 的提示由 GPT-2 的词元组成，而骨干网络旁边和缓存中都没有 vocab.json</translation>
    </message>
    <message>
        <source>the vocab.json of the backbone&apos;s tokenizer</source>
        <translation>骨干网络的分词器的 vocab.json</translation>
    </message>
    <message>
        <source>Run caspstudio --fetch gpt2-words, or copy vocab.json beside the weights.</source>
        <translation>请运行 caspstudio --fetch gpt2-words，或将 vocab.json 复制到权重旁边。</translation>
    </message>
    <message>
        <source>%1 has %2 tokens, more than the backbone&apos;s %3</source>
        <translation>%1 有 %2 个词元，多于骨干网络的 %3 个</translation>
    </message>
    <message>
        <source>a vocabulary of at most backbone.vocabulary tokens</source>
        <translation>最多 backbone.vocabulary 个词元的词表</translation>
    </message>
    <message>
        <source>Copy the vocab.json of this backbone beside its weights.</source>
        <translation>请将此骨干网络的 vocab.json 复制到其权重旁边。</translation>
    </message>
    <message>
        <source>A time series measured at regular intervals.</source>
        <translation>以固定间隔测量的时间序列。</translation>
    </message>
    <message>
        <source>%1 patches (%2, %3, %4) are more than %5</source>
        <translation>%1 个片段（%2、%3、%4）多于 %5</translation>
    </message>
    <message>
        <source>at most that many patches; the prompt takes the positions before them</source>
        <translation>最多该数量的片段；提示占用其前面的位置</translation>
    </message>
    <message>
        <source>A folder below the home folder there is ssh://host/~/folder.</source>
        <translation>那里主目录下的文件夹写作 ssh://host/~/folder。</translation>
    </message>
    <message>
        <source>Set up a key or an agent, so that &quot;%1&quot; in a terminal asks nothing.</source>
        <translation>请设置密钥或代理，使终端中的 &quot;%1&quot; 不再询问任何内容。</translation>
    </message>
    <message>
        <source>Type &quot;%1&quot; in a terminal once and check the key it shows.</source>
        <translation>请在终端中输入一次 &quot;%1&quot;，并核对它显示的密钥。</translation>
    </message>
    <message>
        <source>there is no machine of this name</source>
        <translation>没有这个名称的机器</translation>
    </message>
    <message>
        <source>Check the name, and your network.</source>
        <translation>请检查名称和网络。</translation>
    </message>
    <message>
        <source>the connection was lost</source>
        <translation>连接已断开</translation>
    </message>
    <message>
        <source>there is no program %1 (%2)</source>
        <translation>没有程序 %1（%2）</translation>
    </message>
    <message>
        <source>Install caspstudio there, or add its path: ssh://…?program=/path/to/caspstudio</source>
        <translation>请在那里安装 caspstudio，或附加其路径：ssh://…?program=/path/to/caspstudio</translation>
    </message>
    <message>
        <source>the program there is older and cannot serve folders</source>
        <translation>那里的程序较旧，无法提供文件夹</translation>
    </message>
    <message>
        <source>Install this version there.</source>
        <translation>请在那里安装此版本。</translation>
    </message>
    <message>
        <source>the shell there prints text without end</source>
        <translation>那里的 shell 不停地输出文本</translation>
    </message>
    <message>
        <source>Type ssh %1 true in a terminal: it must print nothing.</source>
        <translation>请在终端中输入 ssh %1 true：它不应输出任何内容。</translation>
    </message>
    <message>
        <source>the program there is another version (%1)</source>
        <translation>那里的程序是另一个版本（%1）</translation>
    </message>
    <message>
        <source>Use the same version of caspstudio on both machines.</source>
        <translation>请在两台机器上使用相同版本的 caspstudio。</translation>
    </message>
    <message>
        <source>the remote folder</source>
        <translation>远程文件夹</translation>
    </message>
    <message>
        <source>messages of caspstudio --serve</source>
        <translation>caspstudio --serve 的消息</translation>
    </message>
    <message>
        <source>a message is shorter than it says</source>
        <translation>一条消息比其声明的长度短</translation>
    </message>
    <message>
        <source>Check the free space and the permissions of the cache&apos;s folder.</source>
        <translation>请检查可用空间和缓存文件夹的权限。</translation>
    </message>
    <message>
        <source>other windows use %1 copies of it</source>
        <translation>其他主窗口正在使用它的 %1 个副本</translation>
    </message>
    <message>
        <source>a folder of runs</source>
        <translation>运行文件夹</translation>
    </message>
    <message>
        <source>Check the path on that machine.</source>
        <translation>请检查该机器上的路径。</translation>
    </message>
    <message>
        <source>a file of a run</source>
        <translation>运行的文件</translation>
    </message>
    <message>
        <source>cannot be read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>HOME is not set on that machine</source>
        <translation>该机器上未设置 HOME</translation>
    </message>
    <message>
        <source>the full path of a folder</source>
        <translation>文件夹的完整路径</translation>
    </message>
    <message>
        <source>the part is out of range</source>
        <translation>所请求的部分超出范围</translation>
    </message>
    <message>
        <source>there is no such run, or no such command</source>
        <translation>没有这样的运行，或没有这样的命令</translation>
    </message>
    <message>
        <source>there is no such run</source>
        <translation>没有这样的运行</translation>
    </message>
    <message>
        <source>caspstudio --serve</source>
        <translation>caspstudio --serve</translation>
    </message>
    <message>
        <source>unknown request &quot;%1&quot;</source>
        <translation>未知的请求 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>a request cannot be understood: %1</source>
        <translation>无法理解请求：%1</translation>
    </message>
    <message>
        <source>the key is not made of letters and digits</source>
        <translation>键不是由字母和数字组成</translation>
    </message>
    <message>
        <source>a folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>the run ended at once; its output is in %1</source>
        <translation>运行立即结束；其输出在 %1 中</translation>
    </message>
    <message>
        <source>Only run.json or run.h5 shows whether the run was finished: restore one of them from a copy, or give the experiment another name or another --out folder.</source>
        <translation>只有 run.json 或 run.h5 能说明该运行是否已完成：请从副本恢复其中之一，或为实验换用其他名称或其他 --out 文件夹。</translation>
    </message>
    <message>
        <source>these are weights of a run whose run.json and run.h5 are lost</source>
        <translation>这些是 run.json 和 run.h5 已丢失的运行的权重</translation>
    </message>
    <message>
        <source>a folder without weights, where nothing is overwritten</source>
        <translation>没有权重的文件夹，不会覆盖任何内容</translation>
    </message>
    <message>
        <source>Move the file away, or give the experiment another name or --out folder.</source>
        <translation>请移走该文件，或为实验换用其他名称或 --out 文件夹。</translation>
    </message>
    <message>
        <source>not a checkpoint&apos;s state: %1</source>
        <translation>不是检查点的状态：%1</translation>
    </message>
    <message>
        <source>a state written by CASP Studio</source>
        <translation>由 CASP Studio 写入的状态</translation>
    </message>
    <message>
        <source>the run in %1 replaced its checkpoint during every attempt to read it</source>
        <translation>每次尝试读取时，%1 中的运行都在替换其检查点</translation>
    </message>
    <message>
        <source>Try again, or wait until that run has ended.</source>
        <translation>请重试，或等待该运行结束。</translation>
    </message>
    <message>
        <source>%1 has neither a checkpoint nor best.safetensors</source>
        <translation>%1 既没有检查点，也没有 best.safetensors</translation>
    </message>
    <message>
        <source>the folder of a trained run</source>
        <translation>已训练的运行的文件夹</translation>
    </message>
    <message>
        <source>The run&apos;s checkpoint of step %1 is intact: continue from it with a fork, which lacks the curves up to that step (train.continue_from = &quot;%2&quot;, under another name or in another --out folder).</source>
        <translation>该运行第 %1 步的检查点完好：请以分支从它继续，分支不含到该步为止的曲线（train.continue_from = &quot;%2&quot;，使用其他名称或其他 --out 文件夹）。</translation>
    </message>
    <message>
        <source>the curves up to the fork are lost: %1: %2</source>
        <translation>分支之前的曲线已丢失：%1：%2</translation>
    </message>
    <message>
        <source>a complete run folder</source>
        <translation>完整的运行文件夹</translation>
    </message>
    <message>
        <source>there are no runs that have begun</source>
        <translation>没有已经开始的运行</translation>
    </message>
    <message>
        <source>the folder of a batch</source>
        <translation>批处理的文件夹</translation>
    </message>
    <message>
        <source>Merge runs of one batch only. --compare takes folders of different ones.</source>
        <translation>请仅合并同一批处理的运行。--compare 可接受不同批处理的文件夹。</translation>
    </message>
    <message>
        <source>Give every machine the same file.</source>
        <translation>请为每台机器提供相同的文件。</translation>
    </message>
    <message>
        <source>Make all runs of a batch with one version.</source>
        <translation>请用同一版本进行一个批处理的所有运行。</translation>
    </message>
    <message>
        <source>Choose one of them, and leave out the other folder&apos;s.</source>
        <translation>请选择其中之一，并去掉另一个文件夹中的。</translation>
    </message>
    <message>
        <source>the folders have different batches: &quot;%1&quot; (%2) and &quot;%3&quot; (%4)</source>
        <translation>这些文件夹属于不同的批处理：&quot;%1&quot;（%2）和 &quot;%3&quot;（%4）</translation>
    </message>
    <message>
        <source>folders of one batch</source>
        <translation>同一批处理的文件夹</translation>
    </message>
    <message>
        <source>this exists</source>
        <translation>它已存在</translation>
    </message>
    <message>
        <source>a new folder</source>
        <translation>新文件夹</translation>
    </message>
    <message>
        <source>Choose another --out folder: nothing is merged into existing runs.</source>
        <translation>请选择其他 --out 文件夹：不会向已有的运行中合并任何内容。</translation>
    </message>
    <message>
        <source>The runs were made with %1 and %2: their numbers may differ in the last digits.</source>
        <translation>这些运行由 %1 和 %2 进行：其数值的最后几位可能不同。</translation>
    </message>
    <message>
        <source>At least %1 run of the sweep is in none of the folders: is a share (--runs I/N) missing, or do they belong to other batches (paper:NAME)?</source>
        <translation>扫描中至少有 %1 个运行不在任何一个文件夹中：是缺少某一份（--runs I/N），还是它们属于其他批处理（paper:NAME）？</translation>
    </message>
    <message>
        <source>At least %1 runs of the sweep are in none of the folders: is a share (--runs I/N) missing, or do they belong to other batches (paper:NAME)?</source>
        <translation>扫描中至少有 %1 个运行不在任何一个文件夹中：是缺少某一份（--runs I/N），还是它们属于其他批处理（paper:NAME）？</translation>
    </message>
    <message>
        <source>%1 no longer exists: the run can not be evaluated on other data; forks start from its last weights</source>
        <translation>%1 已不存在：该运行无法在其他数据上评估；分支从其最后的权重开始</translation>
    </message>
    <message>
        <source>%1 no longer exists: the run can be neither evaluated on other data nor forked</source>
        <translation>%1 已不存在：该运行既无法在其他数据上评估，也无法建立分支</translation>
    </message>
    <message>
        <source>%1 no longer exists: the run&apos;s forecasts cannot be shown</source>
        <translation>%1 已不存在：无法显示该运行的预测</translation>
    </message>
    <message>
        <source>data.path had other values</source>
        <translation>data.path 中的值当时不同</translation>
    </message>
    <message>
        <source>the folder has a finished run with other settings:%1</source>
        <translation>该文件夹中有一个设置不同的已完成运行：%1</translation>
    </message>
    <message>
        <source>Give the experiment another name, or another --out folder.</source>
        <translation>请为实验换用其他名称，或其他 --out 文件夹。</translation>
    </message>
    <message>
        <source>the data file&apos;s content: SHA-256 was %1, is now %2</source>
        <translation>数据文件的内容：SHA-256 原为 %1，现为 %2</translation>
    </message>
    <message>
        <source>this run was started with other settings:%1</source>
        <translation>此运行启动时使用了其他设置：%1</translation>
    </message>
    <message>
        <source>out of memory: %1</source>
        <translation>内存不足：%1</translation>
    </message>
    <message>
        <source>a sum of 64 ones is not 64</source>
        <translation>64 个 1 的和不是 64</translation>
    </message>
    <message>
        <source>run.h5 with %1 steps</source>
        <translation>含 %1 步的 run.h5</translation>
    </message>
    <message>
        <source>; or continue from its best weights with a new optimiser, as a fork (train.continue_from = &quot;%1&quot;, under another name or in another --out folder)</source>
        <translation>；或以新的优化器从其最佳权重继续，作为分支（train.continue_from = &quot;%1&quot;，使用其他名称或其他 --out 文件夹）</translation>
    </message>
    <message>
        <source>%1; or start the run again under another name or in another --out folder.</source>
        <translation>%1；或以其他名称或在其他 --out 文件夹中重新启动该运行。</translation>
    </message>
    <message>
        <source>%1 (%2, %3 threads, LibTorch %4)</source>
        <translation>%1（%2，%3 个线程，LibTorch %4）</translation>
    </message>
    <message>
        <source>the run&apos;s checkpoint is damaged (%1)</source>
        <translation>该运行的检查点已损坏（%1）</translation>
    </message>
    <message>
        <source>there is no checkpoint, and the older version that wrote the run did not record whether there was one</source>
        <translation>没有检查点，而写入该运行的旧版本没有记录是否有过检查点</translation>
    </message>
    <message>
        <source>the run&apos;s checkpoint is lost</source>
        <translation>该运行的检查点已丢失</translation>
    </message>
    <message>
        <source>last/current and the checkpoint it names</source>
        <translation>last/current 及其指定的检查点</translation>
    </message>
    <message>
        <source>the data file&apos;s SHA-256 was %1, is now %2</source>
        <translation>数据文件的 SHA-256 原为 %1，现为 %2</translation>
    </message>
    <message>
        <source>Restore the run.h5 that was beside the checkpoint, or continue from the checkpoint with a fork, which lacks the curves up to that step (train.continue_from = &quot;%1&quot;, under another name or in another --out folder).</source>
        <translation>请恢复原先在检查点旁边的 run.h5，或以分支从该检查点继续，分支不含到该步为止的曲线（train.continue_from = &quot;%1&quot;，使用其他名称或其他 --out 文件夹）。</translation>
    </message>
    <message>
        <source>it is of another run than the checkpoint beside it:%1</source>
        <translation>它与旁边的检查点不属于同一运行：%1</translation>
    </message>
    <message>
        <source>it is older than the checkpoint beside it: it ends at step %1 and has %2 epochs</source>
        <translation>它比旁边的检查点旧：它到第 %1 步为止，有 %2 个轮次</translation>
    </message>
    <message>
        <source>the curves up to step %1 of epoch %2</source>
        <translation>到第 %2 轮次第 %1 步为止的曲线</translation>
    </message>
    <message>
        <source>%1 to step %2</source>
        <translation>%1 至第 %2 步</translation>
    </message>
    <message>
        <source>; %1 to step %2</source>
        <translation>；%1 至第 %2 步</translation>
    </message>
    <message>
        <source>trained on %1 up to step %2, resumed on %3: from here the numbers may differ in the last digits from those of an uninterrupted run</source>
        <translation>在 %1 上训练至第 %2 步，在 %3 上继续：从此处起，数值的最后几位可能与未中断的运行不同</translation>
    </message>
    <message>
        <source>It is in the wastebasket: restore it there, or choose another run.</source>
        <translation>它在回收站中：请在那里恢复它，或选择其他运行。</translation>
    </message>
    <message>
        <source>It may have been moved, renamed or removed: choose the run again.</source>
        <translation>它可能已被移动、重命名或删除：请重新选择该运行。</translation>
    </message>
    <message>
        <source>No checkpoint was written yet.</source>
        <translation>尚未写入检查点。</translation>
    </message>
    <message>
        <source>The last good checkpoint is %1; it is intact.</source>
        <translation>最近的有效检查点是 %1；它完好无损。</translation>
    </message>
    <message>
        <source>Even one window does not fit: choose a smaller backbone or pool.</source>
        <translation>即使一个窗口也无法容纳：请选择较小的骨干网络或池。</translation>
    </message>
    <message>
        <source>Set train.batch_size to %1 or less; about %2 MiB are needed per window and channel.</source>
        <translation>请将 train.batch_size 设为 %1 或更小；每个窗口和通道约需 %2 MiB。</translation>
    </message>
    <message>
        <source>run.processes is for --batch: this run trains in one process</source>
        <translation>run.processes 用于 --batch：此运行在一个进程中训练</translation>
    </message>
    <message>
        <source>this machine has an NVIDIA GPU, but the run uses the processor: %1</source>
        <translation>本机有 NVIDIA GPU，但该运行使用处理器：%1</translation>
    </message>
    <message>
        <source>the data file or the backbone is not the same for all processes</source>
        <translation>数据文件或骨干网络并非在所有进程中都相同</translation>
    </message>
    <message>
        <source>Put them in a folder that all machines share, or copy them again.</source>
        <translation>请将它们放入所有机器共享的文件夹，或重新复制。</translation>
    </message>
    <message>
        <source>the backbone&apos;s weights</source>
        <translation>骨干网络的权重</translation>
    </message>
    <message>
        <source>Resume it with the settings it was started with, or start a new run under another name.</source>
        <translation>请以启动时的设置继续它，或以其他名称启动新运行。</translation>
    </message>
    <message>
        <source>the run was cancelled while finishing early: training continues</source>
        <translation>该运行在提前结束的过程中被取消：训练继续</translation>
    </message>
    <message>
        <source>continuing after step %1</source>
        <translation>从第 %1 步之后继续</translation>
    </message>
    <message>
        <source>folder not found: %1</source>
        <translation>未找到文件夹：%1</translation>
    </message>
    <message>
        <source>the run in %1 is of the model &quot;%2&quot;</source>
        <translation>%1 中的运行属于模型 &quot;%2&quot;</translation>
    </message>
    <message>
        <source>a run of the model &quot;%1&quot;</source>
        <translation>模型 &quot;%1&quot; 的运行</translation>
    </message>
    <message>
        <source>Choose another run.</source>
        <translation>请选择其他运行。</translation>
    </message>
    <message>
        <source>the run in %1 was trained on other frozen backbone weights</source>
        <translation>%1 中的运行是在其他冻结的骨干网络权重上训练的</translation>
    </message>
    <message>
        <source>Fork with the parent&apos;s [backbone] settings.</source>
        <translation>请以父运行的 [backbone] 设置建立分支。</translation>
    </message>
    <message>
        <source>the curves up to the fork are lost: %1 is older than the checkpoint beside it</source>
        <translation>分支之前的曲线已丢失：%1 比旁边的检查点旧</translation>
    </message>
    <message>
        <source>forked from %1 after step %2</source>
        <translation>从 %1 的第 %2 步之后建立分支</translation>
    </message>
    <message>
        <source>after step %1</source>
        <translation>第 %1 步之后</translation>
    </message>
    <message>
        <source>its checkpoint is damaged (%1)</source>
        <translation>其检查点已损坏（%1）</translation>
    </message>
    <message>
        <source>the run has no checkpoint yet</source>
        <translation>该运行还没有检查点</translation>
    </message>
    <message>
        <source>a finished run has no optimiser state</source>
        <translation>已完成的运行没有优化器状态</translation>
    </message>
    <message>
        <source>the run no longer has a checkpoint</source>
        <translation>该运行已没有检查点</translation>
    </message>
    <message>
        <source>forked from the weights in %1; %2, so the optimiser is reset</source>
        <translation>从 %1 中的权重建立分支；%2，因此优化器已重置</translation>
    </message>
    <message>
        <source>last/current is lost: %1 is the newest complete checkpoint and is used</source>
        <translation>last/current 已丢失：%1 是最新的完整检查点，将使用它</translation>
    </message>
    <message>
        <source>this run has no checkpoint yet; it starts from the beginning</source>
        <translation>此运行还没有检查点；它从头开始</translation>
    </message>
    <message>
        <source>Check the free space, the folder and your permissions there.</source>
        <translation>请检查那里的可用空间、文件夹和您的权限。</translation>
    </message>
    <message>
        <source>an unfinished run is there</source>
        <translation>那里有一个未完成的运行</translation>
    </message>
    <message>
        <source>a finished one, or none</source>
        <translation>已完成的运行，或没有运行</translation>
    </message>
    <message>
        <source>Continue it with --resume, or choose another name or --out folder.</source>
        <translation>请用 --resume 继续它，或选择其他名称或 --out 文件夹。</translation>
    </message>
    <message>
        <source>it states %1 patches</source>
        <translation>其中声明了 %1 个片段</translation>
    </message>
    <message>
        <source>1 or more</source>
        <translation>1 或更大</translation>
    </message>
    <message>
        <source>it has %1 dimensions</source>
        <translation>它有 %1 个维度</translation>
    </message>
    <message>
        <source>the mean squared error of its windows is %1, that of the run %2</source>
        <translation>其各窗口的均方误差为 %1，该运行的均方误差为 %2</translation>
    </message>
    <message>
        <source>the forecasts of this run</source>
        <translation>此运行的预测</translation>
    </message>
    <message>
        <source>Its folder does not exist.</source>
        <translation>其文件夹不存在。</translation>
    </message>
    <message>
        <source>The checkpoint is damaged: restore last/ from a copy, or start the run again under another name or in another --out folder.</source>
        <translation>检查点已损坏：请从副本恢复 last/，或以其他名称或在其他 --out 文件夹中重新启动该运行。</translation>
    </message>
    <message>
        <source>The checkpoint is damaged: restore last/ from a copy, or continue from the run&apos;s best weights with a new optimiser as a fork (train.continue_from = &quot;%1&quot;, under another name or in another --out folder).</source>
        <translation>检查点已损坏：请从副本恢复 last/，或以新的优化器从该运行的最佳权重继续，作为分支（train.continue_from = &quot;%1&quot;，使用其他名称或其他 --out 文件夹）。</translation>
    </message>
    <message>
        <source>Check the free space and your permissions there.</source>
        <translation>请检查那里的可用空间和您的权限。</translation>
    </message>
    <message>
        <source>it names %1, which does not exist</source>
        <translation>它指定了 %1，但后者不存在</translation>
    </message>
    <message>
        <source>a folder of that name</source>
        <translation>该名称的文件夹</translation>
    </message>
    <message>
        <source>this part of the checkpoint is missing</source>
        <translation>检查点缺少这一部分</translation>
    </message>
    <message>
        <source>the state of the run</source>
        <translation>该运行的状态</translation>
    </message>
    <message>
        <source>it does not list the checkpoint&apos;s files</source>
        <translation>它没有列出检查点的文件</translation>
    </message>
    <message>
        <source>every file that state.json lists</source>
        <translation>state.json 列出的每个文件</translation>
    </message>
    <message>
        <source>its SHA-256 is %1</source>
        <translation>其 SHA-256 为 %1</translation>
    </message>
    <message>
        <source>a file of this run</source>
        <translation>此运行的文件</translation>
    </message>
    <message>
        <source>this run is being written by %1</source>
        <translation>此运行正由 %1 写入</translation>
    </message>
    <message>
        <source>Wait until it ends, stop it, or choose another output folder.</source>
        <translation>请等待它结束、停止它，或选择其他输出文件夹。</translation>
    </message>
    <message>
        <source>The file system does not support locks: use run.lock = &quot;lease&quot; or &quot;auto&quot;, or choose a folder on another one.</source>
        <translation>该文件系统不支持锁：请使用 run.lock = &quot;lease&quot; 或 &quot;auto&quot;，或选择其他文件系统上的文件夹。</translation>
    </message>
    <message>
        <source>attribute &quot;%1&quot; of %2</source>
        <translation>%2 的属性 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>HDF5 gave no reason</source>
        <translation>HDF5 没有给出原因</translation>
    </message>
    <message>
        <source>error message = &apos;</source>
        <translation>error message = &apos;</translation>
    </message>
    <message>
        <source>a file written by CASP Studio</source>
        <translation>由 CASP Studio 写入的文件</translation>
    </message>
    <message>
        <source>the file cannot be opened: %1</source>
        <translation>无法打开文件：%1</translation>
    </message>
    <message>
        <source>Close other programs, or raise the limit (ulimit -n).</source>
        <translation>请关闭其他程序，或提高限制（ulimit -n）。</translation>
    </message>
    <message>
        <source>this is not an HDF5 file</source>
        <translation>这不是 HDF5 文件</translation>
    </message>
    <message>
        <source>a complete HDF5 file</source>
        <translation>完整的 HDF5 文件</translation>
    </message>
    <message>
        <source>there is no %1</source>
        <translation>没有 %1</translation>
    </message>
    <message>
        <source>another process</source>
        <translation>另一个进程</translation>
    </message>
    <message>
        <source>process %1 on %2 since %3</source>
        <translation>%2 上的进程 %1（自 %3 起）</translation>
    </message>
    <message>
        <source>The file is damaged, or another program changed it: restore it from a copy, or start the run again under another name.</source>
        <translation>文件已损坏，或被其他程序更改：请从副本恢复它，或以其他名称重新启动该运行。</translation>
    </message>
    <message>
        <source>Runs write this file: restore it from a copy, or start the run again under another name.</source>
        <translation>此文件由运行写入：请从副本恢复它，或以其他名称重新启动该运行。</translation>
    </message>
    <message>
        <source>1 run was finished early, with fewer training steps than its settings specify: it is not included in the means; results.csv has the numbers</source>
        <translation>1 个运行提前结束，训练步数少于其设置所指定的：均值不计入它；数值见 results.csv</translation>
    </message>
    <message>
        <source>%1 runs were finished early, with fewer training steps than their settings specify: they are not included in the means; results.csv has the numbers</source>
        <translation>%1 个运行提前结束，训练步数少于其设置所指定的：均值不计入它们；数值见 results.csv</translation>
    </message>
    <message>
        <source>%1, 1 finished early</source>
        <translation>%1，1 个提前结束</translation>
    </message>
    <message>
        <source>backbone untrained: random weights, not a language model; these numbers do not apply to GPT-2</source>
        <translation>骨干网络未训练：随机权重，不是语言模型；这些数值不适用于 GPT-2</translation>
    </message>
    <message>
        <source>it is not a run and has none</source>
        <translation>它不是运行，其中也没有运行</translation>
    </message>
    <message>
        <source>a run, a batch or a folder of batches</source>
        <translation>运行、批处理或含批处理的文件夹</translation>
    </message>
    <message>
        <source>it became shorter while it was being read</source>
        <translation>读取期间它变短了</translation>
    </message>
    <message>
        <source>the archive cannot be in the folder it packs</source>
        <translation>归档不能位于它所打包的文件夹中</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请选择其他文件夹。</translation>
    </message>
    <message>
        <source>no process trains this run</source>
        <translation>没有进程在训练此运行</translation>
    </message>
    <message>
        <source>a running run</source>
        <translation>正在进行的运行</translation>
    </message>
    <message>
        <source>Resume or start it first.</source>
        <translation>请先继续或启动它。</translation>
    </message>
    <message>
        <source>names of data sets, each once</source>
        <translation>数据集的名称，各出现一次</translation>
    </message>
    <message>
        <source>its content does not match its checksum</source>
        <translation>其内容与其校验和不符</translation>
    </message>
    <message>
        <source>the content it was written with</source>
        <translation>写入时的内容</translation>
    </message>
    <message>
        <source>it is an HDF5 file, but not a run file</source>
        <translation>它是 HDF5 文件，但不是运行文件</translation>
    </message>
    <message>
        <source>the attribute format_version</source>
        <translation>属性 format_version</translation>
    </message>
    <message>
        <source>A newer CASP Studio wrote it; use that version or a later one.</source>
        <translation>它由更新的 CASP Studio 写入；请使用该版本或更高版本。</translation>
    </message>
    <message>
        <source>its state is &quot;%1&quot;</source>
        <translation>其状态为 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>running, finished, ...</source>
        <translation>running、finished 等</translation>
    </message>
    <message>
        <source>Runs are not written through links: pass the link&apos;s target to --out, or remove the link.</source>
        <translation>运行不会通过链接写入：请将链接的目标传给 --out，或删除链接。</translation>
    </message>
    <message>
        <source>it cannot be parsed: %1</source>
        <translation>无法解析：%1</translation>
    </message>
    <message>
        <source>a run.json</source>
        <translation>run.json 文件</translation>
    </message>
    <message>
        <source>another process has taken over this run, because no sign of life of this one reached it</source>
        <translation>另一个进程已接管此运行，因为它没有收到本进程仍在运行的信号</translation>
    </message>
    <message>
        <source>The file is damaged; delete it; only the run&apos;s note and colour are lost.</source>
        <translation>文件已损坏；请删除它；只会丢失该运行的备注和颜色。</translation>
    </message>
    <message>
        <source>run.json is missing</source>
        <translation>缺少 run.json</translation>
    </message>
    <message>
        <source>It was written by another program, or for other settings: use the file of this model, or the settings of this file.</source>
        <translation>它由其他程序写入，或用于其他设置：请使用此模型的文件，或此文件的设置。</translation>
    </message>
    <message>
        <source>a whole number &gt;= 0</source>
        <translation>大于或等于 0 的整数</translation>
    </message>
    <message>
        <source>its entry is incomplete</source>
        <translation>其条目不完整</translation>
    </message>
    <message>
        <source>dtype, shape and data_offsets</source>
        <translation>dtype、shape 和 data_offsets</translation>
    </message>
    <message>
        <source>F64, F32, F16, BF16, I64, I32, U8 or BOOL</source>
        <translation>F64、F32、F16、BF16、I64、I32、U8 或 BOOL</translation>
    </message>
    <message>
        <source>Convert the tensors to F32, F16 or BF16 and write the file again.</source>
        <translation>请将张量转换为 F32、F16 或 BF16，并重新写入文件。</translation>
    </message>
    <message>
        <source>its shape is not a list</source>
        <translation>其形状不是列表</translation>
    </message>
    <message>
        <source>a list of at most %1 sizes</source>
        <translation>最多 %1 个大小的列表</translation>
    </message>
    <message>
        <source>its shape %1 is larger than any memory</source>
        <translation>其形状 %1 超出任何内存</translation>
    </message>
    <message>
        <source>a shape whose values the file can hold</source>
        <translation>文件能容纳其值的形状</translation>
    </message>
    <message>
        <source>data_offsets is %1</source>
        <translation>data_offsets 为 %1</translation>
    </message>
    <message>
        <source>data_offsets %1 run backwards</source>
        <translation>data_offsets %1 首尾颠倒</translation>
    </message>
    <message>
        <source>begin &lt;= end</source>
        <translation>begin &lt;= end</translation>
    </message>
    <message>
        <source>Convert the tensor to one of these and write the file again.</source>
        <translation>请将张量转换为其中之一，并重新写入文件。</translation>
    </message>
    <message>
        <source>at least 8 bytes</source>
        <translation>至少 8 字节</translation>
    </message>
    <message>
        <source>The file is truncated or empty: download or write it again.</source>
        <translation>文件被截断或为空：请重新下载或写入。</translation>
    </message>
    <message>
        <source>its first bytes state a header of %1</source>
        <translation>其开头字节声明文件头有 %1</translation>
    </message>
    <message>
        <source>This is not a .safetensors file, or it is damaged: check the path, or download or write it again.</source>
        <translation>这不是 .safetensors 文件，或已损坏：请检查路径，或重新下载或写入。</translation>
    </message>
    <message>
        <source>the header has %1 but only %2 follow</source>
        <translation>文件头有 %1，但后面只有 %2</translation>
    </message>
    <message>
        <source>a complete header</source>
        <translation>完整的文件头</translation>
    </message>
    <message>
        <source>The file is truncated, or not a .safetensors file: download or write it again.</source>
        <translation>文件被截断，或不是 .safetensors 文件：请重新下载或写入。</translation>
    </message>
    <message>
        <source>its data ends at byte %1 but the file holds %2 of data</source>
        <translation>其数据在第 %1 字节结束，但文件只有 %2 数据</translation>
    </message>
    <message>
        <source>data inside the file</source>
        <translation>位于文件内的数据</translation>
    </message>
    <message>
        <source>The file is truncated: download or write it again.</source>
        <translation>文件被截断：请重新下载或写入。</translation>
    </message>
    <message>
        <source>its data begins at byte %1, inside the tensor before</source>
        <translation>其数据从第 %1 字节开始，位于前一个张量之内</translation>
    </message>
    <message>
        <source>its data begins at byte %1, after a gap</source>
        <translation>其数据从第 %1 字节开始，前面有空隙</translation>
    </message>
    <message>
        <source>%1 follow the last tensor</source>
        <translation>最后一个张量之后还有 %1</translation>
    </message>
    <message>
        <source>there is no tensor &quot;%1&quot; among its %2</source>
        <translation>其 %2 个张量中没有 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>a file that has it</source>
        <translation>含有它的文件</translation>
    </message>
    <message>
        <source>the header is not JSON: %1</source>
        <translation>文件头不是 JSON：%1</translation>
    </message>
    <message>
        <source>the header is not JSON: syntax error at byte %1</source>
        <translation>文件头不是 JSON：第 %1 字节处有语法错误</translation>
    </message>
    <message>
        <source>a .safetensors file</source>
        <translation>.safetensors 文件</translation>
    </message>
    <message>
        <source>the header is not a JSON object</source>
        <translation>文件头不是 JSON 对象</translation>
    </message>
    <message>
        <source>the header is nested deeper than a name, its entry and a list</source>
        <translation>文件头的嵌套深于名称、其条目和列表</translation>
    </message>
    <message>
        <source>{&quot;name&quot;: {&quot;dtype&quot;, &quot;shape&quot;, &quot;data_offsets&quot;}, ...}</source>
        <translation>{&quot;name&quot;: {&quot;dtype&quot;, &quot;shape&quot;, &quot;data_offsets&quot;}, ...}</translation>
    </message>
    <message>
        <source>__metadata__ is not an object</source>
        <translation>__metadata__ 不是对象</translation>
    </message>
    <message>
        <source>{&quot;key&quot;: &quot;text&quot;}</source>
        <translation>{&quot;key&quot;: &quot;text&quot;}</translation>
    </message>
    <message>
        <source>__metadata__ &quot;%1&quot; is %2</source>
        <translation>__metadata__ 的 &quot;%1&quot; 为 %2</translation>
    </message>
    <message>
        <source>The file is damaged or was not written by a safetensors library: download or write it again.</source>
        <translation>文件已损坏，或不是由 safetensors 库写入的：请重新下载或写入。</translation>
    </message>
    <message>
        <source>the header names &quot;%1&quot; twice</source>
        <translation>文件头中名称 &quot;%1&quot; 出现两次</translation>
    </message>
    <message>
        <source>each name once</source>
        <translation>每个名称各出现一次</translation>
    </message>
    <message>
        <source>tensor %1 has another type</source>
        <translation>张量 %1 的类型不同</translation>
    </message>
    <message>
        <source>the anchors have shape %1</source>
        <translation>锚点的形状为 %1</translation>
    </message>
    <message>
        <source>cannot be replaced: %1</source>
        <translation>无法替换：%1</translation>
    </message>
    <message>
        <source>cannot be written</source>
        <translation>无法写入</translation>
    </message>
    <message>
        <source>this is a link or a file</source>
        <translation>这是链接或文件</translation>
    </message>
    <message>
        <source>an archive of runs (.tar.gz)</source>
        <translation>运行的归档（.tar.gz）</translation>
    </message>
    <message>
        <source>Set TMPDIR to a folder on a disk with more room, or unpack it with tar.</source>
        <translation>请将 TMPDIR 设为空间更多的磁盘上的文件夹，或用 tar 解包。</translation>
    </message>
    <message>
        <source>no temporary folder can be made: %1</source>
        <translation>无法创建临时文件夹：%1</translation>
    </message>
    <message>
        <source>the archive is damaged or not one: %1</source>
        <translation>归档已损坏，或不是归档：%1</translation>
    </message>
    <message>
        <source>the archive is damaged or not one: unknown reason</source>
        <translation>归档已损坏，或不是归档：原因未知</translation>
    </message>
    <message>
        <source>Copy it again, or pack the runs again with --archive.</source>
        <translation>请重新复制它，或用 --archive 重新打包这些运行。</translation>
    </message>
    <message>
        <source>files and folders below the archive&apos;s own folder</source>
        <translation>归档自身文件夹之下的文件和文件夹</translation>
    </message>
    <message>
        <source>List its contents with tar -tvf: archives of this program have no such entry.</source>
        <translation>请用 tar -tvf 列出其内容：本程序的归档没有这样的条目。</translation>
    </message>
    <message>
        <source>Remove it: the wastebasket must be a folder in the output folder.</source>
        <translation>请删除它：回收站必须是输出文件夹中的一个文件夹。</translation>
    </message>
    <message>
        <source>this run no longer exists</source>
        <translation>此运行已不存在</translation>
    </message>
    <message>
        <source>it is not a run of %1</source>
        <translation>它不是 %1 的运行</translation>
    </message>
    <message>
        <source>a folder %1</source>
        <translation>文件夹 %1</translation>
    </message>
    <message>
        <source>Open the output folder it leads to, or remove the link.</source>
        <translation>请打开它指向的输出文件夹，或删除链接。</translation>
    </message>
    <message>
        <source>this run is no longer in the wastebasket</source>
        <translation>此运行已不在回收站中</translation>
    </message>
    <message>
        <source>Remove the link: a run is restored only into the output folder.</source>
        <translation>请删除链接：运行只能恢复到输出文件夹中。</translation>
    </message>
    <message>
        <source>another run exists there by now</source>
        <translation>那里现在已有另一个运行</translation>
    </message>
    <message>
        <source>Rename or discard that one first; this one stays in the wastebasket.</source>
        <translation>请先重命名或删除那个运行；此运行会保留在回收站中。</translation>
    </message>
    <message>
        <source>there is no token for the byte %1</source>
        <translation>没有字节 %1 的词元</translation>
    </message>
    <message>
        <source>a token for each of the 256 bytes</source>
        <translation>256 个字节各有一个词元</translation>
    </message>
    <message>
        <source>Use the vocab.json of GPT-2.</source>
        <translation>请使用 GPT-2 的 vocab.json。</translation>
    </message>
    <message>
        <source>each number from 0 to %1 once</source>
        <translation>从 0 到 %1 的每个数字各出现一次</translation>
    </message>
    <message>
        <source>the vocab.json of GPT-2&apos;s tokenizer</source>
        <translation>GPT-2 的分词器的 vocab.json</translation>
    </message>
    <message>
        <source>%1 has values that are not finite</source>
        <translation>%1 含有非有限的值</translation>
    </message>
    <message>
        <source>checkpoint format %1</source>
        <translation>检查点格式 %1</translation>
    </message>
    <message>
        <source>format %1 or older</source>
        <translation>格式 %1 或更旧</translation>
    </message>
    <message>
        <source>It was written by a newer CASP Studio; continue the run with that version.</source>
        <translation>它由更新的 CASP Studio 写入；请用该版本继续该运行。</translation>
    </message>
    <message>
        <source>a count</source>
        <translation>一个计数</translation>
    </message>
    <message>
        <source>the state that CASP Studio wrote</source>
        <translation>CASP Studio 写入的状态</translation>
    </message>
    <message>
        <source>the weights of the best epoch beside the others</source>
        <translation>最佳轮次的权重与其他权重并列</translation>
    </message>
    <message>
        <source>%1 holds %2 tensor that this model does not have; not used: %3</source>
        <translation>%1 含有 %2 个此模型没有的张量；未使用：%3</translation>
    </message>
    <message>
        <source>%1 holds %2 tensors that this model does not have; not used: %3</source>
        <translation>%1 含有 %2 个此模型没有的张量；未使用：%3</translation>
    </message>
    <message>
        <source>%1 does not hold %2; those of train.seed are used, so its forecasts may differ from those of the program that wrote it</source>
        <translation>%1 不含 %2；改用由 train.seed 得到的，因此其预测可能与写入它的程序的预测不同</translation>
    </message>
    <message>
        <source>the fit</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>the training windows give no finite solution</source>
        <translation>训练窗口得不出有限的解</translation>
    </message>
    <message>
        <source>Set data.missing to interpolate or drop-column, or choose a larger penalty.</source>
        <translation>请将 data.missing 设为 interpolate 或 drop-column，或选择更大的惩罚。</translation>
    </message>
    <message>
        <source>penalty %1 has the lowest validation MSE (%2) of %3</source>
        <translation>在 %3 个惩罚系数中，%1 的验证 MSE 最低（%2）</translation>
    </message>
    <message>
        <source>Set train.batch_size to %1 or less.</source>
        <translation>请将 train.batch_size 设为 %1 或更小。</translation>
    </message>
    <message>
        <source>a training step needs about %1, and %2 are free</source>
        <translation>一个训练步约需 %1，可用 %2</translation>
    </message>
    <message>
        <source>a training step needs about %1, and %2 are free on %3</source>
        <translation>一个训练步约需 %1，%3 上可用 %2</translation>
    </message>
    <message>
        <source>the evaluation</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>it needs at least %1, %2 for the model and the rest for %3 window</source>
        <translation>至少需要 %1，其中 %2 用于模型，其余用于 %3 个窗口</translation>
    </message>
    <message>
        <source>it needs at least %1, %2 for the model and the rest for %3 windows at once</source>
        <translation>至少需要 %1，其中 %2 用于模型，其余用于同时处理 %3 个窗口</translation>
    </message>
    <message>
        <source>no more than the %1 that are free</source>
        <translation>不超过可用的 %1</translation>
    </message>
    <message>
        <source>Continue the run with --resume and any number of processes.</source>
        <translation>请用 --resume 和任意数量的进程继续该运行。</translation>
    </message>
    <message>
        <source>process %1 of %2</source>
        <translation>进程 %1/%2</translation>
    </message>
    <message>
        <source>another process of this run has ended</source>
        <translation>此运行的另一个进程已结束</translation>
    </message>
    <message>
        <source>the first process of this run has ended</source>
        <translation>此运行的第一个进程已结束</translation>
    </message>
    <message>
        <source>this process cannot listen on port %1</source>
        <translation>此进程无法监听端口 %1</translation>
    </message>
    <message>
        <source>Set the environment variable MASTER_PORT to a free port.</source>
        <translation>请将环境变量 MASTER_PORT 设为空闲的端口。</translation>
    </message>
    <message>
        <source>%1 does not reach the first one at %2</source>
        <translation>%1 无法连接到位于 %2 的第一个进程</translation>
    </message>
    <message>
        <source>Check that all processes were started, and MASTER_ADDR and MASTER_PORT.</source>
        <translation>请检查所有进程是否已启动，以及 MASTER_ADDR 和 MASTER_PORT。</translation>
    </message>
    <message>
        <source>another process ended before the run started</source>
        <translation>另一个进程在运行启动之前已结束</translation>
    </message>
    <message>
        <source>only %1 of %2 processes have come</source>
        <translation>%2 个进程中只有 %1 个已到达</translation>
    </message>
    <message>
        <source>Start them all, then continue with --resume.</source>
        <translation>请启动所有进程，然后用 --resume 继续。</translation>
    </message>
    <message>
        <source>the launcher of this run&apos;s processes has ended</source>
        <translation>此运行各进程的启动程序已结束</translation>
    </message>
    <message>
        <source>the first process of this batch has ended</source>
        <translation>此批处理的第一个进程已结束</translation>
    </message>
    <message>
        <source>%1 does not support bf16 (on a processor: AVX512_BF16), and emulating it would be slow</source>
        <translation>%1 不支持 bf16（处理器须有 AVX512_BF16），而模拟会很慢</translation>
    </message>
    <message>
        <source>fp32, or auto</source>
        <translation>fp32 或 auto</translation>
    </message>
    <message>
        <source>Set run.precision to &quot;auto&quot;: bf16 where it is faster, else fp32.</source>
        <translation>请将 run.precision 设为 &quot;auto&quot;：在 bf16 更快时使用 bf16，否则使用 fp32。</translation>
    </message>
    <message>
        <source>the validation MSE is not finite</source>
        <translation>验证 MSE 不是有限值</translation>
    </message>
    <message>
        <source>%1Try a smaller train.learning_rate.</source>
        <translation>%1请尝试较小的 train.learning_rate。</translation>
    </message>
    <message>
        <source>Set data.missing to interpolate or drop-column.</source>
        <translation>请将 data.missing 设为 interpolate 或 drop-column。</translation>
    </message>
    <message>
        <source>training windows of step %1, all of them: %2</source>
        <translation>第 %1 步的全部训练窗口：%2</translation>
    </message>
    <message>
        <source>the %1 loss is not a number (training windows %2)</source>
        <translation>%1损失不是数值（训练窗口 %2）</translation>
    </message>
    <message>
        <source>the %1 loss is infinite (training windows %2)</source>
        <translation>%1损失为无穷大（训练窗口 %2）</translation>
    </message>
    <message>
        <source>%1Try a smaller train.learning_rate, or look at these windows for extreme values.</source>
        <translation>%1请尝试较小的 train.learning_rate，或检查这些窗口中是否有极端值。</translation>
    </message>
    <message>
        <source>unknown commit</source>
        <translation>未知的提交</translation>
    </message>
    <message>
        <source>Close other programs and try again.</source>
        <translation>请关闭其他程序，然后重试。</translation>
    </message>
    <message>
        <source>unknown processor</source>
        <translation>未知的处理器</translation>
    </message>
    <message>
        <source>LibTorch&apos;s CUDA library cannot be loaded: %1</source>
        <translation>无法加载 LibTorch 的 CUDA 库：%1</translation>
    </message>
    <message>
        <source>LibTorch finds no usable CUDA device</source>
        <translation>LibTorch 未找到可用的 CUDA 设备</translation>
    </message>
    <message>
        <source>no NVIDIA driver is loaded on this machine</source>
        <translation>本机未加载 NVIDIA 驱动程序</translation>
    </message>
    <message>
        <source>cuda:N with a number N</source>
        <translation>cuda:N，其中 N 为数字</translation>
    </message>
    <message>
        <source>a number below %1</source>
        <translation>小于 %1 的数字</translation>
    </message>
    <message>
        <source>OpenSSL does not provide SHA-256</source>
        <translation>OpenSSL 不提供 SHA-256</translation>
    </message>
    <message>
        <source>OpenSSL could not process the data</source>
        <translation>OpenSSL 无法处理数据</translation>
    </message>
    <message>
        <source>memory allocation failed</source>
        <translation>内存分配失败</translation>
    </message>
    <message>
        <source>has not answered within %1 s</source>
        <translation>在 %1 s 内没有响应</translation>
    </message>
    <message>
        <source>prints more than 64 MiB</source>
        <translation>输出超过 64 MiB</translation>
    </message>
    <message>
        <source>cannot be started: %1</source>
        <translation>无法启动：%1</translation>
    </message>
    <message>
        <source>you have no permission to read this file</source>
        <translation>您没有读取此文件的权限</translation>
    </message>
    <message>
        <source>Change its permissions (chmod) or copy it to where you may read it.</source>
        <translation>请更改其权限（chmod），或将它复制到您可以读取的位置。</translation>
    </message>
    <message>
        <source>this symbolic link points back to itself</source>
        <translation>此符号链接指回自身</translation>
    </message>
    <message>
        <source>Give the path of the file itself.</source>
        <translation>请给出文件本身的路径。</translation>
    </message>
    <message>
        <source>this is a socket or a device</source>
        <translation>这是套接字或设备</translation>
    </message>
    <message>
        <source>Save the data to a file first.</source>
        <translation>请先将数据保存到文件中。</translation>
    </message>
    <message>
        <source>Check the path, and the disk that it is on.</source>
        <translation>请检查路径及其所在的磁盘。</translation>
    </message>
    <message>
        <source>a pipe</source>
        <translation>管道</translation>
    </message>
    <message>
        <source>a socket</source>
        <translation>套接字</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>a path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Give the path of a file in it.</source>
        <translation>请给出其中文件的路径。</translation>
    </message>
    <message>
        <source>Check the disk that it is on.</source>
        <translation>请检查它所在的磁盘。</translation>
    </message>
    <message>
        <source>Another program is writing to this file: wait until it has finished, then try again.</source>
        <translation>另一个程序正在写入此文件：请等待其完成，然后重试。</translation>
    </message>
    <message>
        <source>is larger than %1 bytes</source>
        <translation>大于 %1 字节</translation>
    </message>
    <message>
        <source>%1; expected %2</source>
        <translation>%1；应为：%2</translation>
    </message>
    <message>
        <source>%1 window</source>
        <translation>%1 个窗口</translation>
    </message>
    <message>
        <source>%1 windows</source>
        <translation>%1 个窗口</translation>
    </message>
    <message>
        <source>windows %1</source>
        <translation>窗口 %1</translation>
    </message>
    <message>
        <source>window %1</source>
        <translation>窗口 %1</translation>
    </message>
    <message>
        <source>%1 repeated</source>
        <translation>%1 个重复</translation>
    </message>
    <message>
        <source>label = %1</source>
        <translation>label = %1</translation>
    </message>
    <message>
        <source>above %1</source>
        <translation>大于 %1</translation>
    </message>
    <message>
        <source>below %1</source>
        <translation>小于 %1</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 个问题</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1，第 %2 行</translation>
    </message>
    <message>
        <source>%1 columns</source>
        <translation>%1 列</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; %2</source>
        <translation>列 &quot;%1&quot; %2</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>%1 months</source>
        <translation>%1 个月</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1 次</translation>
    </message>
    <message>
        <source>%1 cell</source>
        <translation>%1 个单元格</translation>
    </message>
    <message>
        <source>%1 cells</source>
        <translation>%1 个单元格</translation>
    </message>
    <message>
        <source>Note: %1.</source>
        <translation>注意：%1。</translation>
    </message>
    <message>
        <source>%1 series</source>
        <translation>%1 条序列</translation>
    </message>
    <message>
        <source>%1 %2 value</source>
        <translation>%1 个%2值</translation>
    </message>
    <message>
        <source>%1 %2 values</source>
        <translation>%1 个%2值</translation>
    </message>
    <message>
        <source>series %1</source>
        <translation>序列 %1</translation>
    </message>
    <message>
        <source>%1, column %2:</source>
        <translation>%1，列 %2：</translation>
    </message>
    <message>
        <source>%1 task</source>
        <translation>%1 个任务</translation>
    </message>
    <message>
        <source>%1 tasks</source>
        <translation>%1 个任务</translation>
    </message>
    <message>
        <source>%1 pair</source>
        <translation>%1 对</translation>
    </message>
    <message>
        <source>%1 pairs</source>
        <translation>%1 对</translation>
    </message>
    <message>
        <source>%1 runs %2</source>
        <translation>%1 个运行 %2</translation>
    </message>
    <message>
        <source>, %1 runs %2</source>
        <translation>，%1 个运行 %2</translation>
    </message>
    <message>
        <source>%1, mean</source>
        <translation>%1，均值</translation>
    </message>
    <message>
        <source>swept, %1</source>
        <translation>扫描，%1</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>fetching %1</source>
        <translation>正在获取 %1</translation>
    </message>
    <message>
        <source>%1, %2/start[%3]</source>
        <translation>%1，%2/start[%3]</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 = false</source>
        <translation>%1 = false</translation>
    </message>
    <message>
        <source>%1, tensor &quot;%2&quot;</source>
        <translation>%1，张量 &quot;%2&quot;</translation>
    </message>
    <message>
        <source>%1 (%2, LibTorch %3)</source>
        <translation>%1（%2，LibTorch %3）</translation>
    </message>
    <message>
        <source>%1; found: %2</source>
        <translation>%1；实际为：%2</translation>
    </message>
    <message>
        <source>%1, %2/series</source>
        <translation>%1，%2/series</translation>
    </message>
    <message>
        <source>%1, %2/prediction</source>
        <translation>%1，%2/prediction</translation>
    </message>
    <message>
        <source>byte %1</source>
        <translation>字节 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 joined</source>
        <translation>%1 个已加入</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>&quot;auto&quot;, &quot;cpu&quot;, &quot;cuda&quot; or &quot;cuda:N&quot;</source>
        <translation>&quot;auto&quot;、&quot;cpu&quot;、&quot;cuda&quot; 或 &quot;cuda:N&quot;</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not known</source>
        <translation>&quot;%1&quot; 未知</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be read as %2; the row has no time</source>
        <translation>&quot;%1&quot; 无法按 %2 读取；该行没有时间</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is infinite; counted as missing</source>
        <translation>&quot;%1&quot; 为无穷大；视为缺失</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no number; counted as missing</source>
        <translation>&quot;%1&quot; 不是数字；视为缺失</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a policy</source>
        <translation>&quot;%1&quot; 不是策略</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a layout</source>
        <translation>&quot;%1&quot; 不是布局</translation>
    </message>
    <message>
        <source>&quot;pca&quot; or &quot;tsne&quot;</source>
        <translation>&quot;pca&quot; 或 &quot;tsne&quot;</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a set of weights</source>
        <translation>&quot;%1&quot; 不是一组权重</translation>
    </message>
    <message>
        <source>&quot;best&quot;, &quot;last&quot;, &quot;initial&quot; or the step of a snapshot</source>
        <translation>&quot;best&quot;、&quot;last&quot;、&quot;initial&quot; 或快照的步</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a split</source>
        <translation>&quot;%1&quot; 不是划分</translation>
    </message>
    <message>
        <source>&quot;train&quot;, &quot;val&quot; or &quot;test&quot;</source>
        <translation>&quot;train&quot;、&quot;val&quot; 或 &quot;test&quot;</translation>
    </message>
    <message>
        <source>&quot;imported&quot; are forecasts made by other code, without a model here</source>
        <translation>&quot;imported&quot; 是由其他代码作出的预测，此处没有模型</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a data set, not a backbone</source>
        <translation>&quot;%1&quot; 是数据集，不是骨干网络</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a %2, not a backbone</source>
        <translation>&quot;%1&quot; 是 %2，不是骨干网络</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a checkpoint generation</source>
        <translation>&quot;%1&quot; 不是检查点代的名称（gen-步数）</translation>
    </message>
    <message>
        <source>&quot;files&quot;: {&quot;model.safetensors&quot;: &quot;&lt;sha256&gt;&quot;}</source>
        <translation>&quot;files&quot;: {&quot;model.safetensors&quot;: &quot;&lt;sha256&gt;&quot;}</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a colour</source>
        <translation>&quot;%1&quot; 不是颜色</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a device name</source>
        <translation>&quot;%1&quot; 不是设备名称</translation>
    </message>
    <message>
        <source>rows read</source>
        <translation>行已读取</translation>
    </message>
    <message>
        <source>a label above zero</source>
        <translation>大于零的标签</translation>
    </message>
    <message>
        <source>the label zero</source>
        <translation>标签零</translation>
    </message>
    <message>
        <source>the same label</source>
        <translation>相同的标签</translation>
    </message>
    <message>
        <source>a number from 1 up</source>
        <translation>不小于 1 的数字</translation>
    </message>
    <message>
        <source>early exaggeration</source>
        <translation>早期夸大</translation>
    </message>
    <message>
        <source>early iterations</source>
        <translation>早期迭代</translation>
    </message>
    <message>
        <source>0 or more</source>
        <translation>0 或更大</translation>
    </message>
    <message>
        <source>following iterations</source>
        <translation>后续迭代</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>a positive number, or 0 for points / exaggeration</source>
        <translation>正数，或 0 表示点数 / 夸大系数</translation>
    </message>
    <message>
        <source>early momentum</source>
        <translation>早期动量</translation>
    </message>
    <message>
        <source>a number from 0 to below 1</source>
        <translation>0 到小于 1 的数字</translation>
    </message>
    <message>
        <source>All points have equal values: their layout is random.</source>
        <translation>所有点的值都相同：它们的布局是随机的。</translation>
    </message>
    <message>
        <source>Storing forecasts</source>
        <translation>正在保存预测</translation>
    </message>
    <message>
        <source>a script or log</source>
        <translation>脚本或日志</translation>
    </message>
    <message>
        <source>all rows</source>
        <translation>所有行</translation>
    </message>
    <message>
        <source>the training and validation rows</source>
        <translation>训练行和验证行</translation>
    </message>
    <message>
        <source>the training, validation and test rows</source>
        <translation>训练行、验证行和测试行</translation>
    </message>
    <message>
        <source>the validation rows</source>
        <translation>验证行</translation>
    </message>
    <message>
        <source>the test rows</source>
        <translation>测试行</translation>
    </message>
    <message>
        <source>the test rows with the look-back before them</source>
        <translation>测试行及其之前的回看窗口</translation>
    </message>
    <message>
        <source>the first 10 % of the training rows</source>
        <translation>训练行的前 10 %</translation>
    </message>
    <message>
        <source>the first %1 % of the rows</source>
        <translation>前 %1 % 的行</translation>
    </message>
    <message>
        <source>the first 8,640 rows (12 months of hours)</source>
        <translation>前 8,640 行（12 个月的每小时数据）</translation>
    </message>
    <message>
        <source>the first 34,560 rows (12 months of quarter hours)</source>
        <translation>前 34,560 行（12 个月的每 15 分钟数据）</translation>
    </message>
    <message>
        <source>an unknown scaling</source>
        <translation>未知的标准化</translation>
    </message>
    <message>
        <source>a .npy file</source>
        <translation>.npy 文件</translation>
    </message>
    <message>
        <source>test windows%1</source>
        <translation>测试窗口%1</translation>
    </message>
    <message>
        <source>validation windows%1</source>
        <translation>验证窗口%1</translation>
    </message>
    <message>
        <source>training windows%1</source>
        <translation>训练窗口%1</translation>
    </message>
    <message>
        <source>of the expected split</source>
        <translation>属于预期的划分</translation>
    </message>
    <message>
        <source>of the split %1</source>
        <translation>属于划分 %1</translation>
    </message>
    <message>
        <source>preset %1</source>
        <translation>预设 %1</translation>
    </message>
    <message>
        <source>an experiment file (TOML)</source>
        <translation>实验文件（TOML）</translation>
    </message>
    <message>
        <source>list of numbers</source>
        <translation>数字列表</translation>
    </message>
    <message>
        <source>list of strings</source>
        <translation>字符串列表</translation>
    </message>
    <message>
        <source>a key that --list-options shows, or preset</source>
        <translation>--list-options 显示的键，或 preset</translation>
    </message>
    <message>
        <source>label, or a key that --list-options shows</source>
        <translation>label，或 --list-options 显示的键</translation>
    </message>
    <message>
        <source>cannot redefine</source>
        <translation>无法重新定义</translation>
    </message>
    <message>
        <source>not representable</source>
        <translation>无法表示</translation>
    </message>
    <message>
        <source>could not be interpreted</source>
        <translation>无法解释</translation>
    </message>
    <message>
        <source>control character</source>
        <translation>控制字符</translation>
    </message>
    <message>
        <source>times that cannot be read</source>
        <translation>无法读取的时间</translation>
    </message>
    <message>
        <source>infinite values</source>
        <translation>无穷值</translation>
    </message>
    <message>
        <source>cells that are no numbers</source>
        <translation>不是数字的单元格</translation>
    </message>
    <message>
        <source>has no values and is left out</source>
        <translation>没有值，已省略</translation>
    </message>
    <message>
        <source>holds row numbers and is left out</source>
        <translation>是行号，已省略</translation>
    </message>
    <message>
        <source>short rows</source>
        <translation>过短的行</translation>
    </message>
    <message>
        <source>long rows</source>
        <translation>过长的行</translation>
    </message>
    <message>
        <source>empty lines</source>
        <translation>空行</translation>
    </message>
    <message>
        <source>not in the catalogue</source>
        <translation>不在目录中</translation>
    </message>
    <message>
        <source>Save the sheet as CSV.</source>
        <translation>请将工作表另存为 CSV。</translation>
    </message>
    <message>
        <source>a Parquet file</source>
        <translation>Parquet 文件</translation>
    </message>
    <message>
        <source>an HDF5 file</source>
        <translation>HDF5 文件</translation>
    </message>
    <message>
        <source>Export the data as CSV.</source>
        <translation>请将数据导出为 CSV。</translation>
    </message>
    <message>
        <source>a PDF document</source>
        <translation>PDF 文档</translation>
    </message>
    <message>
        <source>times that go back</source>
        <translation>倒退的时间</translation>
    </message>
    <message>
        <source>mean of base</source>
        <translation>基准运行的均值</translation>
    </message>
    <message>
        <source>mean of other</source>
        <translation>另一运行的均值</translation>
    </message>
    <message>
        <source>95 % interval of Δ</source>
        <translation>Δ 的 95 % 区间</translation>
    </message>
    <message>
        <source>p (Holm)</source>
        <translation>p（Holm）</translation>
    </message>
    <message>
        <source>Mean base</source>
        <translation>基准运行的均值</translation>
    </message>
    <message>
        <source>Mean other</source>
        <translation>另一运行的均值</translation>
    </message>
    <message>
        <source>; caspstudio --batch paper:</source>
        <translation>；caspstudio --batch paper:</translation>
    </message>
    <message>
        <source>Ours: no finished runs.</source>
        <translation>我们的结果：没有已完成的运行。</translation>
    </message>
    <message>
        <source>Printed values: label %1 in the paper&apos;s LaTeX source.</source>
        <translation>印刷值：论文 LaTeX 源文件中的标签 %1。</translation>
    </message>
    <message>
        <source>not finished</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>table %1: %2</source>
        <translation>表 %1：%2</translation>
    </message>
    <message>
        <source>runs of results.csv that are not here or cannot be read: their lines are only compared with the other tables</source>
        <translation>results.csv 中有些运行不在此处或无法读取：它们的行只与其他表格比较</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>缺少 %1</translation>
    </message>
    <message>
        <source>this is not a file</source>
        <translation>这不是文件</translation>
    </message>
    <message>
        <source>this is another file: its SHA-256 is %1</source>
        <translation>这是另一个文件：其 SHA-256 为 %1</translation>
    </message>
    <message>
        <source>Give the run&apos;s best.safetensors instead of its folder: it contains the settings.</source>
        <translation>请给出该运行的 best.safetensors，而不是它的文件夹：设置在该文件中。</translation>
    </message>
    <message>
        <source>the forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>arrays.h5 is missing</source>
        <translation>缺少 arrays.h5</translation>
    </message>
    <message>
        <source>repeated forecasts of %1 windows and channels: rounding selected other anchors here</source>
        <translation>重复预测 %1 个窗口和通道：此处因舍入而选择了其他锚点</translation>
    </message>
    <message>
        <source>forecasts against the weights: %1</source>
        <translation>预测与权重的对照：%1</translation>
    </message>
    <message>
        <source>to the bit</source>
        <translation>逐位相同</translation>
    </message>
    <message>
        <source>within 0.0001 · max(1, |forecast|), %1</source>
        <translation>误差不超过 0.0001 · max(1, |预测|)，%1</translation>
    </message>
    <message>
        <source>in bf16 within 0.1 · max(1, |forecast|), %1</source>
        <translation>bf16 下误差不超过 0.1 · max(1, |预测|)，%1</translation>
    </message>
    <message>
        <source>the repetition of forecasts</source>
        <translation>预测的重复</translation>
    </message>
    <message>
        <source>shuffled anchors</source>
        <translation>打乱的锚点</translation>
    </message>
    <message>
        <source>random anchors</source>
        <translation>随机锚点</translation>
    </message>
    <message>
        <source>autoformer.label_len and data.horizon</source>
        <translation>autoformer.label_len 和 data.horizon</translation>
    </message>
    <message>
        <source>is longer than</source>
        <translation>长于</translation>
    </message>
    <message>
        <source>is more than</source>
        <translation>多于</translation>
    </message>
    <message>
        <source>% is not followed by two hexadecimal digits</source>
        <translation>% 后面不是两位十六进制数字</translation>
    </message>
    <message>
        <source>the %1 is missing or no name</source>
        <translation>缺少%1，或它不是名称</translation>
    </message>
    <message>
        <source>this is no address of a remote folder</source>
        <translation>这不是远程文件夹的地址</translation>
    </message>
    <message>
        <source>the port is no number from 1 to 65535</source>
        <translation>端口不是 1 到 65535 的数字</translation>
    </message>
    <message>
        <source>the folder is missing</source>
        <translation>缺少文件夹</translation>
    </message>
    <message>
        <source>Install OpenSSH&apos;s client (openssh-client).</source>
        <translation>请安装 OpenSSH 的客户端（openssh-client）。</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>权限被拒绝</translation>
    </message>
    <message>
        <source>authentication failures</source>
        <translation>身份验证失败</translation>
    </message>
    <message>
        <source>Host key verification failed</source>
        <translation>主机密钥验证失败</translation>
    </message>
    <message>
        <source>REMOTE HOST IDENTIFICATION</source>
        <translation>REMOTE HOST IDENTIFICATION</translation>
    </message>
    <message>
        <source>Could not resolve hostname</source>
        <translation>无法解析主机名</translation>
    </message>
    <message>
        <source>unknown flag --serve</source>
        <translation>未知的选项 --serve</translation>
    </message>
    <message>
        <source>the file became shorter while it was read</source>
        <translation>文件在读取时变短了</translation>
    </message>
    <message>
        <source>%1: cannot be written: %2</source>
        <translation>%1：无法写入：%2</translation>
    </message>
    <message>
        <source>a compressed message is damaged</source>
        <translation>一条压缩的消息已损坏</translation>
    </message>
    <message>
        <source>a message of %1 bytes</source>
        <translation>一条 %1 字节的消息</translation>
    </message>
    <message>
        <source>a message without header</source>
        <translation>没有头部的消息</translation>
    </message>
    <message>
        <source>these runs have other settings</source>
        <translation>这些运行的设置不同</translation>
    </message>
    <message>
        <source>these runs have other data (%1; SHA-256 %2 and %3)</source>
        <translation>这些运行的数据不同（%1；SHA-256 %2 和 %3）</translation>
    </message>
    <message>
        <source>these runs were made by different versions of CASP Studio (%1 and %2)</source>
        <translation>这些运行由不同版本的 CASP Studio 产生（%1 和 %2）</translation>
    </message>
    <message>
        <source>this run has different results in two folders</source>
        <translation>此运行在两个文件夹中的结果不同</translation>
    </message>
    <message>
        <source>LibTorch %1</source>
        <translation>LibTorch %1</translation>
    </message>
    <message>
        <source>the checkpoint&apos;s configuration</source>
        <translation>检查点的配置</translation>
    </message>
    <message>
        <source>the parent&apos;s configuration</source>
        <translation>父运行的配置</translation>
    </message>
    <message>
        <source>the first process&apos;s configuration</source>
        <translation>首个进程的配置</translation>
    </message>
    <message>
        <source>Store the embeddings of this split from the embedding view, or run with run.store_embeddings = true.</source>
        <translation>请在嵌入视图中保存此部分的嵌入，或使用 run.store_embeddings = true 运行。</translation>
    </message>
    <message>
        <source>This snapshot belongs to another model or is damaged; other snapshots can still be used.</source>
        <translation>此快照属于另一个模型或已损坏；其他快照仍可使用。</translation>
    </message>
    <message>
        <source>Compute the layout in the embedding view and store it.</source>
        <translation>请在嵌入视图中计算布局并保存。</translation>
    </message>
    <message>
        <source>Start a run with run.store_similarity = true.</source>
        <translation>请启动一个 run.store_similarity = true 的运行。</translation>
    </message>
    <message>
        <source>Start a run with run.store_forecasts = [&quot;%1&quot;].</source>
        <translation>请启动一个 run.store_forecasts = [&quot;%1&quot;] 的运行。</translation>
    </message>
    <message>
        <source>cannot be replaced</source>
        <translation>无法替换</translation>
    </message>
    <message>
        <source>cannot be flushed to disk</source>
        <translation>无法写入磁盘</translation>
    </message>
    <message>
        <source>cannot be closed</source>
        <translation>无法关闭</translation>
    </message>
    <message>
        <source>cannot be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>cannot be linked to %1</source>
        <translation>无法链接到 %1</translation>
    </message>
    <message>
        <source>a small text file</source>
        <translation>小的文本文件</translation>
    </message>
    <message>
        <source>does not exist</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>cannot be created</source>
        <translation>无法创建</translation>
    </message>
    <message>
        <source>it does not have one value</source>
        <translation>它不是单个值</translation>
    </message>
    <message>
        <source>cannot be looked up</source>
        <translation>无法查询</translation>
    </message>
    <message>
        <source>it is not a text</source>
        <translation>它不是文本</translation>
    </message>
    <message>
        <source>a variable-length string</source>
        <translation>变长字符串</translation>
    </message>
    <message>
        <source>it is not a whole number</source>
        <translation>它不是整数</translation>
    </message>
    <message>
        <source>it is not a number</source>
        <translation>它不是数字</translation>
    </message>
    <message>
        <source>a floating-point number</source>
        <translation>浮点数</translation>
    </message>
    <message>
        <source>cannot grow</source>
        <translation>无法增大</translation>
    </message>
    <message>
        <source>its shape cannot be read</source>
        <translation>无法读取其形状</translation>
    </message>
    <message>
        <source>its shape is larger than any memory</source>
        <translation>其形状大于任何内存</translation>
    </message>
    <message>
        <source>its values have another type</source>
        <translation>其值为另一种类型</translation>
    </message>
    <message>
        <source>floating-point numbers of at most %1 bits</source>
        <translation>最多 %1 位的浮点数</translation>
    </message>
    <message>
        <source>whole numbers of at most %1 bits</source>
        <translation>最多 %1 位的整数</translation>
    </message>
    <message>
        <source>its values are in another file</source>
        <translation>其值在另一个文件中</translation>
    </message>
    <message>
        <source>values in this file</source>
        <translation>此文件中的值</translation>
    </message>
    <message>
        <source>a size that fits the file</source>
        <translation>与文件相符的大小</translation>
    </message>
    <message>
        <source>its shape %1 needs %2 bytes, more than the file holds</source>
        <translation>其形状 %1 需要 %2 字节，多于文件所含</translation>
    </message>
    <message>
        <source>there are no rows %1 to %2</source>
        <translation>没有第 %1 到 %2 行</translation>
    </message>
    <message>
        <source>cannot be read; the file is damaged</source>
        <translation>无法读取；文件已损坏</translation>
    </message>
    <message>
        <source>it is not a list of texts</source>
        <translation>它不是文本列表</translation>
    </message>
    <message>
        <source>its shape %1 is larger than the file</source>
        <translation>其形状 %1 大于文件</translation>
    </message>
    <message>
        <source>cannot be read; the file is damaged: %1</source>
        <translation>无法读取；文件已损坏：%1</translation>
    </message>
    <message>
        <source>cannot be created in memory</source>
        <translation>无法在内存中创建</translation>
    </message>
    <message>
        <source>cannot be flushed</source>
        <translation>无法写出</translation>
    </message>
    <message>
        <source>cannot be listed</source>
        <translation>无法列出</translation>
    </message>
    <message>
        <source>cannot be copied from %1</source>
        <translation>无法从 %1 复制</translation>
    </message>
    <message>
        <source>its attributes cannot be copied</source>
        <translation>无法复制其属性</translation>
    </message>
    <message>
        <source>an unknown host</source>
        <translation>未知的主机</translation>
    </message>
    <message>
        <source>an unknown time</source>
        <translation>未知的时间</translation>
    </message>
    <message>
        <source>a run.h5</source>
        <translation>run.h5</translation>
    </message>
    <message>
        <source>the format is little-endian and read without conversion</source>
        <translation>该格式为小端序，读取时不作转换</translation>
    </message>
    <message>
        <source>a size in its shape</source>
        <translation>其形状中的一个大小</translation>
    </message>
    <message>
        <source>The previous files are kept.</source>
        <translation>先前的文件已保留。</translation>
    </message>
    <message>
        <source>An earlier replacement was interrupted; it is completed when this succeeds.</source>
        <translation>先前的一次替换被中断；这次成功后即告完成。</translation>
    </message>
    <message>
        <source>its path is empty or too long</source>
        <translation>其路径为空或过长</translation>
    </message>
    <message>
        <source>its path has &quot;..&quot;</source>
        <translation>其路径含有 &quot;..&quot;</translation>
    </message>
    <message>
        <source>its path is absolute</source>
        <translation>其路径是绝对路径</translation>
    </message>
    <message>
        <source>it is a link</source>
        <translation>它是一个链接</translation>
    </message>
    <message>
        <source>it is neither a file nor a folder</source>
        <translation>它既不是文件也不是文件夹</translation>
    </message>
    <message>
        <source>another file has its path</source>
        <translation>另一个文件已使用它的路径</translation>
    </message>
    <message>
        <source>the folder cannot be created</source>
        <translation>无法创建文件夹</translation>
    </message>
    <message>
        <source>cannot be moved to the wastebasket</source>
        <translation>无法移入回收站</translation>
    </message>
    <message>
        <source>cannot be restored</source>
        <translation>无法恢复</translation>
    </message>
    <message>
        <source>not everything could be deleted</source>
        <translation>未能全部删除</translation>
    </message>
    <message>
        <source>this is not a vocabulary</source>
        <translation>这不是词表</translation>
    </message>
    <message>
        <source>a JSON object of tokens and their numbers</source>
        <translation>由词元及其编号组成的 JSON 对象</translation>
    </message>
    <message>
        <source>the number of a token is %1</source>
        <translation>一个词元的编号为 %1</translation>
    </message>
    <message>
        <source>the number %1 is used twice</source>
        <translation>编号 %1 使用了两次</translation>
    </message>
    <message>
        <source>the number %1 is too large</source>
        <translation>编号 %1 过大</translation>
    </message>
    <message>
        <source>%1 failed: %2</source>
        <translation>%1 失败：%2</translation>
    </message>
    <message>
        <source>CASP Studio %1</source>
        <translation>CASP Studio %1</translation>
    </message>
    <message>
        <source>a file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>checking %1</source>
        <translation>正在检查 %1</translation>
    </message>
    <message>
        <source>type must be a whole number of 64 bits, but is %1</source>
        <translation>类型必须是 64 位整数，但实际为 %1</translation>
    </message>
    <message>
        <source>it nests deeper than %1 levels</source>
        <translation>嵌套深度超过 %1 层</translation>
    </message>
    <message>
        <source>can&apos;t allocate memory</source>
        <translation>无法分配内存</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>not a data file that can be read</source>
        <translation>不是可读取的数据文件</translation>
    </message>
    <message>
        <source>the %1 part has %2 rows (%3), no window fits</source>
        <translation>%1部分有 %2 行（%3），容不下任何窗口</translation>
    </message>
    <message>
        <source>. List it in data.sentinels if it stands for missing values</source>
        <translation>。如果它表示缺失值，请将其列入 data.sentinels</translation>
    </message>
    <message>
        <source>OFA (GPT4TS)</source>
        <translation>OFA (GPT4TS)</translation>
    </message>
    <message>
        <source>Persistence (naive)</source>
        <translation>Persistence (naive)</translation>
    </message>
    <message>
        <source>Seasonal naive</source>
        <translation>Seasonal naive</translation>
    </message>
    <message>
        <source>a name without spaces</source>
        <translation>不含空格的名称</translation>
    </message>
    <message>
        <source>minutes (&quot;90&quot;), &quot;HH:MM:SS&quot; or &quot;D-HH:MM:SS&quot;</source>
        <translation>分钟数（&quot;90&quot;）、&quot;HH:MM:SS&quot; 或 &quot;D-HH:MM:SS&quot;</translation>
    </message>
    <message>
        <source>&quot;auto&quot;, or an amount such as &quot;16G&quot;</source>
        <translation>&quot;auto&quot;，或一个大小，例如 &quot;16G&quot;</translation>
    </message>
    <message>
        <source>one line of the shell</source>
        <translation>一行 shell 命令</translation>
    </message>
    <message>
        <source>an option of sbatch such as &quot;--constraint=a100&quot;</source>
        <translation>sbatch 的一个选项，例如 &quot;--constraint=a100&quot;</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>With this spread, detecting a difference of %1 % with power 80 % at p &lt; 0.05 takes about %2 pairs.</source>
        <translation>以此离散程度，要在 p &lt; 0.05 下以 80 % 的功效检测出 %1 % 的差异，约需 %2 对。</translation>
    </message>
    <message>
        <source>over all tasks</source>
        <translation>所有任务</translation>
    </message>
    <message>
        <source>No pairs: no seed has finished runs both at %1 and at another value.</source>
        <translation>没有配对：没有随机种子在 %1 和另一个值下都有已完成的运行。</translation>
    </message>
    <message>
        <source>%1 more in the table.</source>
        <translation>表格中另有 %1 项。</translation>
    </message>
    <message>
        <source>%1, %2 of them equal: too few for p &lt; %3 (at least %4 that differ)</source>
        <translation>%1，其中 %2 对相等：不足以达到 p &lt; %3（至少需要 %4 对不同）</translation>
    </message>
    <message>
        <source>%1: too few for p &lt; %2 (at least %3)</source>
        <translation>%1：不足以达到 p &lt; %2（至少需要 %3）</translation>
    </message>
    <message>
        <source>%1: lower by %2 (%3)</source>
        <translation>%1：低 %2（%3）</translation>
    </message>
    <message>
        <source>%1: higher by %2 (%3)</source>
        <translation>%1：高 %2（%3）</translation>
    </message>
    <message>
        <source>it changed while it was copied</source>
        <translation>它在复制时发生了变化</translation>
    </message>
    <message>
        <source>Free disk space there, or choose another folder.</source>
        <translation>请在该处释放磁盘空间，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>To work without the window, use caspstudio --batch FILE.toml (see --help).</source>
        <translation>要在没有窗口的情况下使用，请运行 caspstudio --batch FILE.toml（见 --help）。</translation>
    </message>
    <message>
        <source>the sample data set cannot be written: %1</source>
        <translation>无法写入示例数据集：%1</translation>
    </message>
    <message>
        <source>Free disk space or grant write permission.</source>
        <translation>请释放磁盘空间，或授予写入权限。</translation>
    </message>
    <message>
        <source>the folder contains other files (such as %1)</source>
        <translation>该文件夹含有其他文件（例如 %1）</translation>
    </message>
    <message>
        <source>an empty or a new folder</source>
        <translation>空文件夹或新文件夹</translation>
    </message>
    <message>
        <source>Choose another name for the run.</source>
        <translation>请为该运行选择其他名称。</translation>
    </message>
    <message>
        <source>Wait until it ends, stop it, or choose another name.</source>
        <translation>请等它结束，停止它，或选择其他名称。</translation>
    </message>
    <message>
        <source>the folder contains a finished run</source>
        <translation>该文件夹含有一个已完成的运行</translation>
    </message>
    <message>
        <source>Choose another name, or move that run to the wastebasket first.</source>
        <translation>请选择其他名称，或先将该运行移入回收站。</translation>
    </message>
    <message>
        <source>the folder contains an unfinished run</source>
        <translation>该文件夹含有一个未完成的运行</translation>
    </message>
    <message>
        <source>Resume that run, or choose another name.</source>
        <translation>请继续该运行，或选择其他名称。</translation>
    </message>
    <message>
        <source>the folder is queued by another window or batch</source>
        <translation>该文件夹已由另一个窗口或批处理排队</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>请选择其他名称。</translation>
    </message>
    <message>
        <source>this run is already queued</source>
        <translation>此运行已在队列中</translation>
    </message>
    <message>
        <source>Choose another name for the new run.</source>
        <translation>请为新运行选择其他名称。</translation>
    </message>
    <message>
        <source>Try a smaller size or fewer dots per inch.</source>
        <translation>请尝试更小的尺寸或更低的分辨率。</translation>
    </message>
    <message>
        <source>dots per inch</source>
        <translation>每英寸点数</translation>
    </message>
    <message>
        <source>a picture of this size does not fit into memory</source>
        <translation>此尺寸的图片超出内存</translation>
    </message>
    <message>
        <source>Choose a smaller size or fewer dots per inch.</source>
        <translation>请选择更小的尺寸或更低的分辨率。</translation>
    </message>
    <message>
        <source>the figure has no data yet</source>
        <translation>该图还没有数据</translation>
    </message>
    <message>
        <source>the figure could not be written: %1</source>
        <translation>无法写入该图：%1</translation>
    </message>
    <message>
        <source>%1 is omitted from figures of %2: %3</source>
        <translation>%2 的图中省略了 %1：%3</translation>
    </message>
    <message>
        <source>%1 has no anchors; omitted from figures of embeddings</source>
        <translation>%1 没有锚点；嵌入图中已省略</translation>
    </message>
    <message>
        <source>%1 has no embeddings; omitted from figures of embeddings</source>
        <translation>%1 没有嵌入；嵌入图中已省略</translation>
    </message>
    <message>
        <source>%1 has too few anchors or windows for figures of embeddings</source>
        <translation>%1 的锚点或窗口太少，无法绘制嵌入图</translation>
    </message>
    <message>
        <source>%1, /forecast/test/start</source>
        <translation>%1，/forecast/test/start</translation>
    </message>
    <message>
        <source>a window starts at row %1</source>
        <translation>一个窗口始于第 %1 行</translation>
    </message>
    <message>
        <source>a row of the data file</source>
        <translation>数据文件的一行</translation>
    </message>
    <message>
        <source>there is no /forecast/test</source>
        <translation>没有 /forecast/test</translation>
    </message>
    <message>
        <source>the forecasts that the run wrote</source>
        <translation>该运行写入的预测</translation>
    </message>
    <message>
        <source>none of its test windows has a forecast from row %1</source>
        <translation>它的测试窗口都没有从第 %1 行起的预测</translation>
    </message>
    <message>
        <source>/forecast/test is empty</source>
        <translation>/forecast/test 为空</translation>
    </message>
    <message>
        <source>a folder of this experiment</source>
        <translation>此实验的文件夹</translation>
    </message>
    <message>
        <source>Remove the link, or name another output folder with --out.</source>
        <translation>请删除该链接，或用 --out 指定其他输出文件夹。</translation>
    </message>
    <message>
        <source>there is no figure &quot;%1&quot;</source>
        <translation>没有名为 &quot;%1&quot; 的图</translation>
    </message>
    <message>
        <source>no %1: the runs have no data for it</source>
        <translation>没有 %1：这些运行没有所需数据</translation>
    </message>
    <message>
        <source>%1 is not finished; omitted from figures</source>
        <translation>%1 未完成；图中已省略</translation>
    </message>
    <message>
        <source>%1 is omitted from figures: %2</source>
        <translation>图中省略了 %1：%2</translation>
    </message>
    <message>
        <source>errors of the series</source>
        <translation>各序列的误差</translation>
    </message>
    <message>
        <source>there is no metric &quot;%1&quot;</source>
        <translation>没有指标 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>there is no setting &quot;%1&quot;</source>
        <translation>没有设置 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>a key of the experiment file, e.g. model.top_k</source>
        <translation>实验文件的键，例如 model.top_k</translation>
    </message>
    <message>
        <source>--list-options lists all settings.</source>
        <translation>--list-options 列出所有设置。</translation>
    </message>
    <message>
        <source>it is the continued file</source>
        <translation>它就是要续写的文件</translation>
    </message>
    <message>
        <source>another file</source>
        <translation>其他文件</translation>
    </message>
    <message>
        <source>The forecast would replace the data.</source>
        <translation>预测会替换数据。</translation>
    </message>
    <message>
        <source>the file has changed since the run was made (SHA-256 %1…)</source>
        <translation>该运行之后文件已更改（SHA-256 %1…）</translation>
    </message>
    <message>
        <source>Stored forecasts remain available; only the look-back cannot be shown.</source>
        <translation>保存的预测仍然可用；只是无法显示回看窗口。</translation>
    </message>
    <message>
        <source>it is not in the wastebasket</source>
        <translation>它不在回收站中</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1（共 %2）</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>%1 运行中</translation>
    </message>
    <message>
        <source>%1 lower (%2), but the means are equal</source>
        <translation>%1更低（%2），但均值相等</translation>
    </message>
    <message>
        <source>%1 lower (%2), but the mean is higher</source>
        <translation>%1更低（%2），但均值更高</translation>
    </message>
    <message>
        <source>%1 higher (%2), but the means are equal</source>
        <translation>%1更高（%2），但均值相等</translation>
    </message>
    <message>
        <source>%1 higher (%2), but the mean is lower</source>
        <translation>%1更高（%2），但均值更低</translation>
    </message>
    <message>
        <source>%1 (%2 cells of the last %3 rows)</source>
        <translation>%1（最后 %3 行中的 %2 个单元格）</translation>
    </message>
    <message>
        <source>%1 tokens (%2 patches from %3, %4 and %5; %6)</source>
        <translation>%1 个词元（由 %3、%4 和 %5 得到的 %2 个片段；%6）</translation>
    </message>
    <message>
        <source>%1 tokens (%2 patches from %3, %4 and %5)</source>
        <translation>%1 个词元（由 %3、%4 和 %5 得到的 %2 个片段）</translation>
    </message>
    <message>
        <source>sweep.%1 is no list</source>
        <translation>sweep.%1 不是列表</translation>
    </message>
    <message>
        <source>sweep.%1 is an empty list</source>
        <translation>sweep.%1 是空列表</translation>
    </message>
    <message>
        <source>sweep.%1 is given twice (also in %2)</source>
        <translation>sweep.%1 给出了两次（也在 %2 中）</translation>
    </message>
    <message>
        <source>there is no tensor %1 (nor transformer.%2)</source>
        <translation>没有张量 %1（也没有 transformer.%2）</translation>
    </message>
    <message>
        <source>Free disk space, or set XDG_CACHE_HOME to a writable folder on a larger disk.</source>
        <translation>请释放磁盘空间，或将 XDG_CACHE_HOME 设为更大磁盘上的可写文件夹。</translation>
    </message>
    <message>
        <source>Install bash.</source>
        <translation>请安装 bash。</translation>
    </message>
    <message>
        <source>--fetch cuda</source>
        <translation>--fetch cuda</translation>
    </message>
    <message>
        <source>bash ended with status %1</source>
        <translation>bash 以状态 %1 结束</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Checked: losses, errors, tables and plots are over this channel (data.targets)</source>
        <translation>勾选：损失、误差、表格和图取自此通道（data.targets）</translation>
    </message>
    <message>
        <source>lines that are no rows</source>
        <translation>不属于数据行的行</translation>
    </message>
    <message>
        <source>order of rows</source>
        <translation>行的顺序</translation>
    </message>
    <message>
        <source>clocks as channels</source>
        <translation>作为通道的时钟</translation>
    </message>
    <message>
        <source>channels asleep</source>
        <translation>休眠的通道</translation>
    </message>
    <message>
        <source>Split borders; auto: the catalogue&apos;s rule, else ratio (70/10/20); or [train, val, test] row counts or fractions, or the dates of the first validation and test row</source>
        <translation>划分边界；auto：目录中的规则，否则 ratio（70/10/20）；或 [train, val, test] 的行数或比例，或验证集和测试集第一行的日期</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Channels that count in losses, errors, tables and plots, by name; all are read; []: all</source>
        <translation>计入损失、误差、表格和图的通道，按名称；所有通道都会读取；[]：全部</translation>
    </message>
    <message>
        <source>Thousands</source>
        <translation>千位分隔符</translation>
    </message>
    <message>
        <source>Sign between groups of three digits</source>
        <translation>三位数字分组之间的符号</translation>
    </message>
    <message>
        <source>Quotes that may enclose a cell</source>
        <translation>可能包围单元格的引号</translation>
    </message>
    <message>
        <source>Whether the table begins with the column names</source>
        <translation>表格是否以列名开头</translation>
    </message>
    <message>
        <source>Line of the file where the table begins, with its header if there is one; 0: detected</source>
        <translation>表格（若有表头则连同表头）在文件中开始的行；0：自动检测</translation>
    </message>
    <message>
        <source>Header lines</source>
        <translation>表头行数</translation>
    </message>
    <message>
        <source>Lines of the header, whose names are joined; 0: detected</source>
        <translation>表头的行数，各行的名称会合并；0：自动检测</translation>
    </message>
    <message>
        <source>Unit lines</source>
        <translation>单位行数</translation>
    </message>
    <message>
        <source>Lines below the header that are no rows (units, kinds); -1: detected</source>
        <translation>表头下方不属于数据行的行数（单位、类型）；-1：自动检测</translation>
    </message>
    <message>
        <source>Footer lines</source>
        <translation>表尾行数</translation>
    </message>
    <message>
        <source>Lines at the end that are no rows (totals, sources); -1: detected</source>
        <translation>末尾不属于数据行的行数（合计、来源）；-1：自动检测</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>注释</translation>
    </message>
    <message>
        <source>Sign at the beginning of lines that are no rows</source>
        <translation>不属于数据行的行开头的符号</translation>
    </message>
    <message>
        <source>Texts of missing cells besides the usual ones, e.g. [&quot;Bad Input&quot;]</source>
        <translation>除常见写法外表示缺失单元格的文本，例如 [&quot;Bad Input&quot;]</translation>
    </message>
    <message>
        <source>Name of the column with the date, with or without the time of day, or the names of those with its parts (&quot;year, month, day, hour&quot;); none: no time axis</source>
        <translation>含日期（可带时刻）的列的名称，或含其各部分的列的名称（&quot;year, month, day, hour&quot;）；none：没有时间轴</translation>
    </message>
    <message>
        <source>Order of day and month in dates, or what a number means: digits of a date (20160701), Unix times, days, or time since the first row</source>
        <translation>日期中日和月的顺序，或数字的含义：日期的各位数字 (20160701)、Unix 时间、天数，或从第一行起的时间</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>Hours in a separate column; ending: 1 to 24, each the hour&apos;s end</source>
        <translation>小时单独成列；ending：1 到 24，各为该小时的结束时刻</translation>
    </message>
    <message>
        <source>Time zone</source>
        <translation>时区</translation>
    </message>
    <message>
        <source>Zone of times without an offset, e.g. Europe/Berlin, for its daylight saving; empty: none</source>
        <translation>无偏移量的时间所属的时区，例如 Europe/Berlin，以处理其夏令时；空：无</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Order of the rows in the file; newest-first: they are reversed</source>
        <translation>文件中各行的顺序；newest-first：行会倒序</translation>
    </message>
    <message>
        <source>Row numbers</source>
        <translation>行号</translation>
    </message>
    <message>
        <source>Columns that rise evenly (row numbers, elapsed time); auto: left out; channel: kept</source>
        <translation>均匀递增的列（行号、经过的时间）；auto：省略；channel：保留</translation>
    </message>
    <message>
        <source>unpacking %1</source>
        <translation>正在解压 %1</translation>
    </message>
    <message>
        <source>Exchange rates of eight countries, 1990 to 2010, daily</source>
        <translation>八个国家的汇率，1990 至 2010 年，每日</translation>
    </message>
    <message>
        <source>exchange_rate.csv of the Autoformer benchmark.</source>
        <translation>Autoformer 基准的 exchange_rate.csv。</translation>
    </message>
    <message>
        <source>Influenza-like illness in the United States, 2002 to 2020, weekly</source>
        <translation>美国的流感样疾病，2002 至 2020 年，每周</translation>
    </message>
    <message>
        <source>national_illness.csv of the Autoformer benchmark.</source>
        <translation>Autoformer 基准的 national_illness.csv。</translation>
    </message>
    <message>
        <source>the predictions are %1, and the truths are %2</source>
        <translation>预测为%1，真实值为%2</translation>
    </message>
    <message>
        <source>the values are %1</source>
        <translation>值为%1</translation>
    </message>
    <message>
        <source>The predictions follow the data too little to show their units.</source>
        <translation>预测与数据的相符程度太低，无法看出其单位。</translation>
    </message>
    <message>
        <source>The %1 have %2: differences of less than %3 cannot be seen.</source>
        <translation>%1有 %2：小于 %3 的差异无法看出。</translation>
    </message>
    <message>
        <source>The %1 are in %2: differences of less than 0.4 % of a value cannot be seen.</source>
        <translation>%1为 %2：小于值的 0.4 % 的差异无法看出。</translation>
    </message>
    <message>
        <source>The %1 are in %2: differences of less than 0.05 % of a value cannot be seen.</source>
        <translation>%1为 %2：小于值的 0.05 % 的差异无法看出。</translation>
    </message>
    <message>
        <source>the predictions are the test windows of the data set, and the truths are not: taken the other way round</source>
        <translation>预测是数据集的测试窗口，而真实值不是：已将两者互换</translation>
    </message>
    <message>
        <source>the %1 windows are those of the test split, in order, in original units, as files of this form have them</source>
        <translation>%1 个窗口即测试集的窗口，顺序一致，为原始单位，与此形式的文件一致</translation>
    </message>
    <message>
        <source>As stored, over all %1 windows: %2 (predictions and truths are in different units).</source>
        <translation>按存储的值，在全部 %1 个窗口上：%2（预测和真实值的单位不同）。</translation>
    </message>
    <message>
        <source>its shape is %1, and its sizes leave a doubt about the order of the axes</source>
        <translation>形状为 %1，由其大小无法确定轴的顺序</translation>
    </message>
    <message>
        <source>%1 has the shape %2, read as %3.</source>
        <translation>%1 的形状为 %2，按 %3 读取。</translation>
    </message>
    <message>
        <source>the columns window, step, channel and prediction, or unique_id, ds, cutoff, y and one of forecasts</source>
        <translation>window、step、channel 和 prediction 列，或 unique_id、ds、cutoff、y 和一个预测列</translation>
    </message>
    <message>
        <source>it has no column of forecasts</source>
        <translation>其中没有预测列</translation>
    </message>
    <message>
        <source>it has the forecasts of several models: %1</source>
        <translation>其中有多个模型的预测：%1</translation>
    </message>
    <message>
        <source>one column of forecasts beside unique_id, ds, cutoff and y</source>
        <translation>除 unique_id、ds、cutoff 和 y 外有一个预测列</translation>
    </message>
    <message>
        <source>Keep one, and audit or import each model on its own.</source>
        <translation>请保留其中之一，并逐个审核或导入各模型。</translation>
    </message>
    <message>
        <source>column %1: %2 is no time</source>
        <translation>列 %1：%2 不是时间</translation>
    </message>
    <message>
        <source>the number of a row, or a time such as 2016-07-01 00:00:00</source>
        <translation>行的编号，或时间，例如 2016-07-01 00:00:00</translation>
    </message>
    <message>
        <source>%1 decimals</source>
        <translation>%1 位小数</translation>
    </message>
    <message>
        <source>in original units</source>
        <translation>原始单位</translation>
    </message>
    <message>
        <source>partly in original units: scaled with %1</source>
        <translation>部分原始单位的值：用%1标准化</translation>
    </message>
    <message>
        <source>scaled with %1</source>
        <translation>用%1标准化的值</translation>
    </message>
    <message>
        <source>its shape is %1, %2 axis</source>
        <translation>形状为 %1，%2 个轴</translation>
    </message>
    <message>
        <source>its shape is %1, %2 axes</source>
        <translation>形状为 %1，%2 个轴</translation>
    </message>
    <message>
        <source>three axes: [windows, horizon, channels]</source>
        <translation>三个轴：[窗口, 预测步长, 通道]</translation>
    </message>
    <message>
        <source>If the first axes are batches: array.reshape(-1, *array.shape[-2:]).</source>
        <translation>如果开头的轴是批次：array.reshape(-1, *array.shape[-2:])。</translation>
    </message>
    <message>
        <source>needs three fractions above 0</source>
        <translation>需要三个大于 0 的比例</translation>
    </message>
    <message>
        <source>has fractions with a sum of %1, more than 1</source>
        <translation>各比例之和为 %1，大于 1</translation>
    </message>
    <message>
        <source>has %1, which is no date like &quot;2018-07-01&quot; or &quot;2018-07-01 12:00&quot;</source>
        <translation>含有 %1，它不是 &quot;2018-07-01&quot; 或 &quot;2018-07-01 12:00&quot; 这样的日期</translation>
    </message>
    <message>
        <source>has numbers or dates beside a rule</source>
        <translation>在规则之外还含有数字或日期</translation>
    </message>
    <message>
        <source>three row counts or fractions [train, val, test]</source>
        <translation>三个行数或比例 [train, val, test]</translation>
    </message>
    <message>
        <source>two dates [&quot;2018-01-01&quot;, &quot;2018-07-01&quot;], of the first validation and test row</source>
        <translation>两个日期 [&quot;2018-01-01&quot;, &quot;2018-07-01&quot;]，即验证集和测试集第一行的日期</translation>
    </message>
    <message>
        <source>1 business day</source>
        <translation>1 个工作日</translation>
    </message>
    <message>
        <source>%1 line</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>they hold only delimiters</source>
        <translation>其中只有分隔符</translation>
    </message>
    <message>
        <source>%1 from line %2</source>
        <translation>%1，自第 %2 行起</translation>
    </message>
    <message>
        <source>%1 at the end of the file are no rows of the table and left out (%2); data.csv.footer_lines sets their number</source>
        <translation>文件末尾的 %1不是表格的数据行，已省略（%2）；其数量由 data.csv.footer_lines 设置</translation>
    </message>
    <message>
        <source>the header has %1 names, but the rows have %2 cells</source>
        <translation>表头有 %1 个名称，但各行有 %2 个单元格</translation>
    </message>
    <message>
        <source>a name for each column</source>
        <translation>每列一个名称</translation>
    </message>
    <message>
        <source>If the comma is also the decimal separator, write the file with semicolons between the cells; else complete the header.</source>
        <translation>如果逗号也是小数分隔符，请在写文件时用分号分隔单元格；否则请补全表头。</translation>
    </message>
    <message>
        <source>%1 line before the table</source>
        <translation>表格前有 %1 行</translation>
    </message>
    <message>
        <source>%1 lines before the table</source>
        <translation>表格前有 %1 行</translation>
    </message>
    <message>
        <source>they begin with %1</source>
        <translation>它们以 %1 开头</translation>
    </message>
    <message>
        <source>the header has %1 names for %2 columns; they may stand above the wrong ones</source>
        <translation>表头有 %1 个名称，而列数为 %2；名称可能位于错误的列上方</translation>
    </message>
    <message>
        <source>the file holds no rows</source>
        <translation>文件中没有数据行</translation>
    </message>
    <message>
        <source>double quote</source>
        <translation>双引号</translation>
    </message>
    <message>
        <source>%1 % of the first lines have %2 cells</source>
        <translation>开头的行中有 %1 % 含 %2 个单元格</translation>
    </message>
    <message>
        <source>points stand before exactly three digits, beside whole numbers below 1000</source>
        <translation>恰好三位数字之前有句点，同时有小于 1000 的整数</translation>
    </message>
    <message>
        <source>commas stand before exactly three digits, beside whole numbers below 1000</source>
        <translation>恰好三位数字之前有逗号，同时有小于 1000 的整数</translation>
    </message>
    <message>
        <source>more numbers need a comma than a point</source>
        <translation>需要逗号的数字多于需要句点的数字</translation>
    </message>
    <message>
        <source>more numbers need a point than a comma</source>
        <translation>需要句点的数字多于需要逗号的数字</translation>
    </message>
    <message>
        <source>the first line says so</source>
        <translation>由第一行指明</translation>
    </message>
    <message>
        <source>one column: the comma in its numbers is the decimal separator</source>
        <translation>只有一列：其数字中的逗号是小数分隔符</translation>
    </message>
    <message>
        <source>the lines are read as one column with decimal commas, not as two columns (data.csv.delimiter sets it)</source>
        <translation>各行按一列读取，逗号为小数分隔符，而不是按两列读取（由 data.csv.delimiter 设置）</translation>
    </message>
    <message>
        <source>%1, escaped by a backslash</source>
        <translation>%1，用反斜杠转义</translation>
    </message>
    <message>
        <source>decimal sign</source>
        <translation>小数分隔符</translation>
    </message>
    <message>
        <source>thousands sign</source>
        <translation>千位分隔符</translation>
    </message>
    <message>
        <source>groups of three digits follow it</source>
        <translation>其后为三位数字的分组</translation>
    </message>
    <message>
        <source>the %1 in numbers is read as the decimal separator; but in a column exactly three digits follow it, beside whole numbers below 1000, as after a thousands separator: if it is one, set data.csv.thousands and data.csv.decimal</source>
        <translation>数字中的%1按小数分隔符读取；但有一列中其后恰好有三位数字，同时有小于 1000 的整数，如同千位分隔符之后：如果它是千位分隔符，请设置 data.csv.thousands 和 data.csv.decimal</translation>
    </message>
    <message>
        <source>this system does not know %1</source>
        <translation>此系统不支持 %1</translation>
    </message>
    <message>
        <source>Convert the file to UTF-8.</source>
        <translation>请将文件转换为 UTF-8。</translation>
    </message>
    <message>
        <source>not UTF-8, but every pair of bytes beyond ASCII is a usual Chinese character</source>
        <translation>不是 UTF-8，但 ASCII 以外的每对字节都是常用的中文字符</translation>
    </message>
    <message>
        <source>not UTF-8, but every pair of bytes beyond ASCII is a usual Japanese character</source>
        <translation>不是 UTF-8，但 ASCII 以外的每对字节都是常用的日文字符</translation>
    </message>
    <message>
        <source>not UTF-8</source>
        <translation>不是 UTF-8</translation>
    </message>
    <message>
        <source>%1 zero byte at the end of the file left out</source>
        <translation>已省略文件末尾的 %1 个零字节</translation>
    </message>
    <message>
        <source>%1 zero bytes at the end of the file left out</source>
        <translation>已省略文件末尾的 %1 个零字节</translation>
    </message>
    <message>
        <source>by its byte-order mark</source>
        <translation>由其字节顺序标记得出</translation>
    </message>
    <message>
        <source>the text is not UTF-8; it was read as %1 (data.csv.encoding sets it)</source>
        <translation>文本不是 UTF-8；已按 %1 读取（由 data.csv.encoding 设置）</translation>
    </message>
    <message>
        <source>by its zero bytes</source>
        <translation>由其零字节得出</translation>
    </message>
    <message>
        <source>decimal and thousands separator are the same sign</source>
        <translation>小数分隔符和千位分隔符是同一符号</translation>
    </message>
    <message>
        <source>the second number exceeds 12</source>
        <translation>第二个数大于 12</translation>
    </message>
    <message>
        <source>the first number exceeds 12</source>
        <translation>第一个数大于 12</translation>
    </message>
    <message>
        <source>it gives the more regular steps</source>
        <translation>它给出的间隔更规则</translation>
    </message>
    <message>
        <source>rows without a time</source>
        <translation>没有时间的行</translation>
    </message>
    <message>
        <source>a part of the time is missing or out of range; the row has no time</source>
        <translation>时间的一部分缺失或超出范围；该行没有时间</translation>
    </message>
    <message>
        <source>hours ending</source>
        <translation>小时（以结束时刻计）</translation>
    </message>
    <message>
        <source>parts in columns</source>
        <translation>分列的各部分</translation>
    </message>
    <message>
        <source>dates in words</source>
        <translation>用文字书写的日期</translation>
    </message>
    <message>
        <source>month first</source>
        <translation>月在前</translation>
    </message>
    <message>
        <source>day first</source>
        <translation>日在前</translation>
    </message>
    <message>
        <source>holds text (&quot;%1&quot; in line %2, and %3 of %4 cells) and is left out; data.csv.missing lists texts that stand for missing values</source>
        <translation>含有文本（第 %2 行的 &quot;%1&quot;，%4 个单元格中共 %3 个），已省略；data.csv.missing 列出表示缺失值的文本</translation>
    </message>
    <message>
        <source>the file has its newest row first; the rows were reversed, oldest first (data.csv.order sets it)</source>
        <translation>文件中最新的行在前；已将各行反转，最早的在前（由 data.csv.order 设置）</translation>
    </message>
    <message>
        <source>the times fall</source>
        <translation>时间递减</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no row of the table and is left out</source>
        <translation>&quot;%1&quot; 不是表格的行，已省略</translation>
    </message>
    <message>
        <source>it holds dates with the time of day</source>
        <translation>它含有带时刻的日期</translation>
    </message>
    <message>
        <source>&quot;%1&quot; holds dates, not only times of day</source>
        <translation>&quot;%1&quot; 含有日期，而不仅是时刻</translation>
    </message>
    <message>
        <source>a column with times of day</source>
        <translation>含有时刻的列</translation>
    </message>
    <message>
        <source>Use it as the only time column.</source>
        <translation>请将其用作唯一的时间列。</translation>
    </message>
    <message>
        <source>the columns %1 do not make a time</source>
        <translation>列 %1 不能构成时间</translation>
    </message>
    <message>
        <source>a date and a time of day, or columns of year, month, day and hour by their names</source>
        <translation>日期和时刻，或者按名称为年、月、日和小时的列</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; holds no dates</source>
        <translation>列 &quot;%1&quot; 不含日期</translation>
    </message>
    <message>
        <source>dates or Unix times</source>
        <translation>日期或 Unix 时间</translation>
    </message>
    <message>
        <source>it holds dates</source>
        <translation>它含有日期</translation>
    </message>
    <message>
        <source>it holds the times of day of the dates</source>
        <translation>它含有这些日期的时刻</translation>
    </message>
    <message>
        <source>it counts the hours of each date</source>
        <translation>它为每个日期的小时计数</translation>
    </message>
    <message>
        <source>its name says hours, and the dates repeat</source>
        <translation>其名称表示小时，且日期重复</translation>
    </message>
    <message>
        <source>its name says a part of the time</source>
        <translation>其名称表示时间的一部分</translation>
    </message>
    <message>
        <source>1 to 24, each the end of its hour</source>
        <translation>1 到 24，各为该小时的结束</translation>
    </message>
    <message>
        <source>the beginning of each hour</source>
        <translation>每小时的开始</translation>
    </message>
    <message>
        <source>they count from 1 to 24</source>
        <translation>从 1 计到 24</translation>
    </message>
    <message>
        <source>they count from 0</source>
        <translation>从 0 开始计数</translation>
    </message>
    <message>
        <source>its digits are dates</source>
        <translation>其各位数字为日期</translation>
    </message>
    <message>
        <source>the numbers of the first column are read as %1 (data.csv.date_format sets it)</source>
        <translation>第一列的数字按 %1 读取（由 data.csv.date_format 设置）</translation>
    </message>
    <message>
        <source>its numbers rise as %1</source>
        <translation>其数字按 %1 递增</translation>
    </message>
    <message>
        <source>dates or times beside the time axis</source>
        <translation>时间轴之外的日期或时间</translation>
    </message>
    <message>
        <source>(&quot;%1&quot; in line %2)</source>
        <translation>（第 %2 行的 &quot;%1&quot;）</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; holds %2 and is left out</source>
        <translation>列 &quot;%1&quot; 含有%2，已省略</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; holds times beside the time axis and is left out</source>
        <translation>列 &quot;%1&quot; 含有时间轴之外的时间，已省略</translation>
    </message>
    <message>
        <source>a Campbell logger&apos;s TOA5</source>
        <translation>Campbell 数据记录器的 TOA5 文件</translation>
    </message>
    <message>
        <source>a Campbell logger&apos;s TOACI1</source>
        <translation>Campbell 数据记录器的 TOACI1 文件</translation>
    </message>
    <message>
        <source>its numbers count the columns</source>
        <translation>其数字为各列编号</translation>
    </message>
    <message>
        <source>line %1 (%2) is read as names of the columns, not as a row (data.csv.header sets it)</source>
        <translation>第 %1 行（%2）作为列的名称读取，而不是作为数据行（由 data.csv.header 设置）</translation>
    </message>
    <message>
        <source>the last comment before the rows has a name for each column</source>
        <translation>数据行之前的最后一条注释为每列给出名称</translation>
    </message>
    <message>
        <source>the first line has values in every column</source>
        <translation>第一行在每一列中都有值</translation>
    </message>
    <message>
        <source>the file is %1</source>
        <translation>文件为 %1</translation>
    </message>
    <message>
        <source>lines %1 and %2</source>
        <translation>第 %1 行和第 %2 行</translation>
    </message>
    <message>
        <source>the names of one line are not distinct</source>
        <translation>仅用一行时名称不能互相区分</translation>
    </message>
    <message>
        <source>it holds text above columns of values</source>
        <translation>它在数值列的上方含有文本</translation>
    </message>
    <message>
        <source>before the names</source>
        <translation>名称之前</translation>
    </message>
    <message>
        <source>kinds or units</source>
        <translation>类型或单位</translation>
    </message>
    <message>
        <source>line before the table</source>
        <translation>表格之前的行</translation>
    </message>
    <message>
        <source>%1 holds no values</source>
        <translation>%1 不含值</translation>
    </message>
    <message>
        <source>%1 is no row</source>
        <translation>%1 不是数据行</translation>
    </message>
    <message>
        <source>line %1 (%2) holds %3 and is no row; it is left out</source>
        <translation>第 %1 行（%2）含有%3，不是数据行；已省略</translation>
    </message>
    <message>
        <source>line %1 (%2) holds no row: it stands before the names; it is left out</source>
        <translation>第 %1 行（%2）不含数据行：它位于名称之前；已省略</translation>
    </message>
    <message>
        <source>its unpacked content has more than %1, half of the free memory</source>
        <translation>其解包后的内容超过 %1，即可用内存的一半</translation>
    </message>
    <message>
        <source>content that fits into memory</source>
        <translation>内存能容纳的内容</translation>
    </message>
    <message>
        <source>a data file</source>
        <translation>数据文件</translation>
    </message>
    <message>
        <source>Unpack it first.</source>
        <translation>请先解包。</translation>
    </message>
    <message>
        <source>import pandas; pandas.read_feather({in}).to_csv({out})</source>
        <translation>import pandas; pandas.read_feather({in}).to_csv({out})</translation>
    </message>
    <message>
        <source>import pandas; pandas.read_sas({in}, encoding=&quot;utf-8&quot;).to_csv({out}, index=False)</source>
        <translation>import pandas; pandas.read_sas({in}, encoding=&quot;utf-8&quot;).to_csv({out}, index=False)</translation>
    </message>
    <message>
        <source>import pandas; pandas.read_spss({in}).to_csv({out}, index=False)</source>
        <translation>import pandas; pandas.read_spss({in}).to_csv({out}, index=False)</translation>
    </message>
    <message>
        <source>import pandas; pandas.read_stata({in}).to_csv({out}, index=False)</source>
        <translation>import pandas; pandas.read_stata({in}).to_csv({out}, index=False)</translation>
    </message>
    <message>
        <source>import pandas; pandas.DataFrame(pandas.read_pickle({in})).to_csv({out})</source>
        <translation>import pandas; pandas.DataFrame(pandas.read_pickle({in})).to_csv({out})</translation>
    </message>
    <message>
        <source>write.csv(as.data.frame(readRDS({in})), {out}, row.names = FALSE)</source>
        <translation>write.csv(as.data.frame(readRDS({in})), {out}, row.names = FALSE)</translation>
    </message>
    <message>
        <source>e &lt;- new.env(); for (n in load({in}, e)) write.csv(as.data.frame(get(n, e)), paste0(n, &quot;.csv&quot;), row.names = FALSE)</source>
        <translation>e &lt;- new.env(); for (n in load({in}, e)) write.csv(as.data.frame(get(n, e)), paste0(n, &quot;.csv&quot;), row.names = FALSE)</translation>
    </message>
    <message>
        <source>import xarray; xarray.open_dataset({in}).to_dataframe().to_csv({out})</source>
        <translation>import xarray; xarray.open_dataset({in}).to_dataframe().to_csv({out})</translation>
    </message>
    <message>
        <source>import pandas; pandas.read_html({in})[0].to_csv({out}, index=False)</source>
        <translation>import pandas; pandas.read_html({in})[0].to_csv({out}, index=False)</translation>
    </message>
    <message>
        <source>import tensorflow, safetensors.numpy as s; r = tensorflow.train.load_checkpoint({in}[:-6]); s.save_file({k.replace(&quot;/&quot;, &quot;.&quot;): r.get_tensor(k) for k in r.get_variable_to_dtype_map() if hasattr(r.get_tensor(k), &quot;shape&quot;)}, {out})</source>
        <translation>import tensorflow, safetensors.numpy as s; r = tensorflow.train.load_checkpoint({in}[:-6]); s.save_file({k.replace(&quot;/&quot;, &quot;.&quot;): r.get_tensor(k) for k in r.get_variable_to_dtype_map() if hasattr(r.get_tensor(k), &quot;shape&quot;)}, {out})</translation>
    </message>
    <message>
        <source>import gguf, safetensors.numpy as s; s.save_file({t.name: gguf.dequantize(t.data, t.tensor_type).copy() for t in gguf.GGUFReader({in}).tensors}, {out})</source>
        <translation>import gguf, safetensors.numpy as s; s.save_file({t.name: gguf.dequantize(t.data, t.tensor_type).copy() for t in gguf.GGUFReader({in}).tensors}, {out})</translation>
    </message>
    <message>
        <source>import onnx, onnx.numpy_helper as n, safetensors.numpy as s; s.save_file({t.name: n.to_array(t).copy() for t in onnx.load({in}).graph.initializer}, {out})</source>
        <translation>import onnx, onnx.numpy_helper as n, safetensors.numpy as s; s.save_file({t.name: n.to_array(t).copy() for t in onnx.load({in}).graph.initializer}, {out})</translation>
    </message>
    <message>
        <source>a spreadsheet (.xlsx)</source>
        <translation>电子表格（.xlsx）</translation>
    </message>
    <message>
        <source>a spreadsheet (.xlsb)</source>
        <translation>电子表格（.xlsb）</translation>
    </message>
    <message>
        <source>a Word document</source>
        <translation>Word 文档</translation>
    </message>
    <message>
        <source>Save the table as CSV.</source>
        <translation>请将表格另存为 CSV。</translation>
    </message>
    <message>
        <source>a spreadsheet or document (.ods, .odt)</source>
        <translation>电子表格或文档（.ods、.odt）</translation>
    </message>
    <message>
        <source>a file of NumPy arrays (.npz)</source>
        <translation>NumPy 数组文件（.npz）</translation>
    </message>
    <message>
        <source>a TorchScript file</source>
        <translation>TorchScript 文件</translation>
    </message>
    <message>
        <source>import torch, safetensors.torch as s; s.save_file({k: v.detach().clone().contiguous() for k, v in torch.jit.load({in}, map_location=&quot;cpu&quot;).state_dict().items()}, {out})</source>
        <translation>import torch, safetensors.torch as s; s.save_file({k: v.detach().clone().contiguous() for k, v in torch.jit.load({in}, map_location=&quot;cpu&quot;).state_dict().items()}, {out})</translation>
    </message>
    <message>
        <source>a PyTorch file</source>
        <translation>PyTorch 文件</translation>
    </message>
    <message>
        <source>a Keras file</source>
        <translation>Keras 文件</translation>
    </message>
    <message>
        <source>a zip archive or spreadsheet inside a compressed file</source>
        <translation>压缩文件内的 zip 归档或电子表格</translation>
    </message>
    <message>
        <source>a compressed file inside another</source>
        <translation>压缩文件内的另一个压缩文件</translation>
    </message>
    <message>
        <source>an old Excel or Word file (.xls, .doc)</source>
        <translation>旧版 Excel 或 Word 文件（.xls、.doc）</translation>
    </message>
    <message>
        <source>import pandas; pandas.read_parquet({in}).to_csv({out})</source>
        <translation>import pandas; pandas.read_parquet({in}).to_csv({out})</translation>
    </message>
    <message>
        <source>an Arrow (Feather) file</source>
        <translation>Arrow（Feather）文件</translation>
    </message>
    <message>
        <source>a Feather file</source>
        <translation>Feather 文件</translation>
    </message>
    <message>
        <source>an Arrow stream</source>
        <translation>Arrow 流</translation>
    </message>
    <message>
        <source>import pyarrow; pyarrow.ipc.open_stream({in}).read_pandas().to_csv({out})</source>
        <translation>import pyarrow; pyarrow.ipc.open_stream({in}).read_pandas().to_csv({out})</translation>
    </message>
    <message>
        <source>an ORC file</source>
        <translation>ORC 文件</translation>
    </message>
    <message>
        <source>import pandas; pandas.read_orc({in}).to_csv({out})</source>
        <translation>import pandas; pandas.read_orc({in}).to_csv({out})</translation>
    </message>
    <message>
        <source>an Avro file</source>
        <translation>Avro 文件</translation>
    </message>
    <message>
        <source>import fastavro, pandas; pandas.DataFrame(fastavro.reader(open({in}, &quot;rb&quot;))).to_csv({out}, index=False)</source>
        <translation>import fastavro, pandas; pandas.DataFrame(fastavro.reader(open({in}, &quot;rb&quot;))).to_csv({out}, index=False)</translation>
    </message>
    <message>
        <source>MATLAB 7.3 MAT-file</source>
        <translation>MATLAB 7.3 MAT-file</translation>
    </message>
    <message>
        <source>a MATLAB file (v7.3)</source>
        <translation>MATLAB 文件（v7.3）</translation>
    </message>
    <message>
        <source>MATLAB 5.0 MAT-file</source>
        <translation>MATLAB 5.0 MAT-file</translation>
    </message>
    <message>
        <source>a MATLAB file (v5 to v7)</source>
        <translation>MATLAB 文件（v5 至 v7）</translation>
    </message>
    <message>
        <source>an HDF5 file of pandas</source>
        <translation>pandas 的 HDF5 文件</translation>
    </message>
    <message>
        <source>import pandas; pandas.read_hdf({in}).to_csv({out})</source>
        <translation>import pandas; pandas.read_hdf({in}).to_csv({out})</translation>
    </message>
    <message>
        <source>a NetCDF file</source>
        <translation>NetCDF 文件</translation>
    </message>
    <message>
        <source>import h5py, pandas; h5py.File({in}).visititems(lambda k, v: pandas.DataFrame(v[()].reshape(len(v), -1)).add_prefix(&quot;x&quot;).to_csv(k.replace(&quot;/&quot;, &quot;_&quot;) + &quot;.csv&quot;, index=False) if getattr(v, &quot;ndim&quot;, 0) else None)</source>
        <translation>import h5py, pandas; h5py.File({in}).visititems(lambda k, v: pandas.DataFrame(v[()].reshape(len(v), -1)).add_prefix(&quot;x&quot;).to_csv(k.replace(&quot;/&quot;, &quot;_&quot;) + &quot;.csv&quot;, index=False) if getattr(v, &quot;ndim&quot;, 0) else None)</translation>
    </message>
    <message>
        <source>a GRIB file</source>
        <translation>GRIB 文件</translation>
    </message>
    <message>
        <source>import xarray; xarray.open_dataset({in}, engine=&quot;cfgrib&quot;).to_dataframe().to_csv({out})</source>
        <translation>import xarray; xarray.open_dataset({in}, engine=&quot;cfgrib&quot;).to_dataframe().to_csv({out})</translation>
    </message>
    <message>
        <source>a NumPy array (.npy)</source>
        <translation>NumPy 数组（.npy）</translation>
    </message>
    <message>
        <source>an SQLite database</source>
        <translation>SQLite 数据库</translation>
    </message>
    <message>
        <source>a PyTorch file (before version 1.6)</source>
        <translation>PyTorch 文件（1.6 之前的版本）</translation>
    </message>
    <message>
        <source>a GGUF file</source>
        <translation>GGUF 文件</translation>
    </message>
    <message>
        <source>the index of a TensorFlow checkpoint</source>
        <translation>TensorFlow 检查点的索引</translation>
    </message>
    <message>
        <source>a Python pickle</source>
        <translation>Python pickle 文件</translation>
    </message>
    <message>
        <source>an R object (.rds)</source>
        <translation>R 对象（.rds）</translation>
    </message>
    <message>
        <source>an R workspace (.RData)</source>
        <translation>R 工作空间（.RData）</translation>
    </message>
    <message>
        <source>a Stata file</source>
        <translation>Stata 文件</translation>
    </message>
    <message>
        <source>a SAS file</source>
        <translation>SAS 文件</translation>
    </message>
    <message>
        <source>HEADER RECORD*******LIB</source>
        <translation>HEADER RECORD*******LIB</translation>
    </message>
    <message>
        <source>a SAS transport file</source>
        <translation>SAS 传输文件</translation>
    </message>
    <message>
        <source>import pandas; pandas.read_sas({in}, format=&quot;xport&quot;, encoding=&quot;utf-8&quot;).to_csv({out}, index=False)</source>
        <translation>import pandas; pandas.read_sas({in}, format=&quot;xport&quot;, encoding=&quot;utf-8&quot;).to_csv({out}, index=False)</translation>
    </message>
    <message>
        <source>an SPSS file</source>
        <translation>SPSS 文件</translation>
    </message>
    <message>
        <source>a tar archive</source>
        <translation>tar 归档</translation>
    </message>
    <message>
        <source>a 7z archive</source>
        <translation>7z 归档</translation>
    </message>
    <message>
        <source>a RAR archive</source>
        <translation>RAR 归档</translation>
    </message>
    <message>
        <source>an ONNX file</source>
        <translation>ONNX 文件</translation>
    </message>
    <message>
        <source>Weights are evaluated with --evaluate, or set as backbone.path.</source>
        <translation>权重用 --evaluate 评估，或设为 backbone.path。</translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation>JSON Lines 文件</translation>
    </message>
    <message>
        <source>a web page</source>
        <translation>网页</translation>
    </message>
    <message>
        <source>Convert the weights with Python: %1</source>
        <translation>请用 Python 转换权重：%1</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>请选择其他文件。</translation>
    </message>
    <message>
        <source>the file is taken as %1, since its %2 agree; other values could not be compared</source>
        <translation>文件按 %1 处理，因为其%2相符；其他值无法比较</translation>
    </message>
    <message>
        <source>it looks like %1, but %2</source>
        <translation>它与 %1 相似，但%2</translation>
    </message>
    <message>
        <source>the file looks like %1, but %2: it is not treated as that data set</source>
        <translation>文件与 %1 相似，但%2：不作为该数据集处理</translation>
    </message>
    <message>
        <source>, whose split is data.split = &quot;%1&quot;</source>
        <translation>，该数据集的划分为 data.split = &quot;%1&quot;</translation>
    </message>
    <message>
        <source>it looks like %1 by its rows and channels every %2; its values are not known here</source>
        <translation>按行数、通道数和时间间隔 %2，它与 %1 相似；此处不知其值</translation>
    </message>
    <message>
        <source>it looks like %1 by its rows and channels; its values are not known here</source>
        <translation>按行数和通道数，它与 %1 相似；此处不知其值</translation>
    </message>
    <message>
        <source>the file looks like %1 by its rows and channels; published results on it have data.split = %2</source>
        <translation>按行数和通道数，文件与 %1 相似；该数据集已发表的结果采用 data.split = %2</translation>
    </message>
    <message>
        <source>. Its values are not those of %1: %2</source>
        <translation>。其值不是 %1 的值：%2</translation>
    </message>
    <message>
        <source>its first and last row are others</source>
        <translation>其首行和末行不同</translation>
    </message>
    <message>
        <source>not in the catalogue; %1</source>
        <translation>不在目录中；%1</translation>
    </message>
    <message>
        <source>%1, by its digest</source>
        <translation>%1，按其校验和识别</translation>
    </message>
    <message>
        <source>%1, by its place in the cache, rows and channels</source>
        <translation>%1，按其在缓存中的位置、行数和通道数识别</translation>
    </message>
    <message>
        <source>it has no channel %1</source>
        <translation>没有通道 %1</translation>
    </message>
    <message>
        <source>it has the further channel %1</source>
        <translation>另有通道 %1</translation>
    </message>
    <message>
        <source>it has %1 row more</source>
        <translation>多 %1 行</translation>
    </message>
    <message>
        <source>it has %1 row fewer</source>
        <translation>少 %1 行</translation>
    </message>
    <message>
        <source>it has %1 rows more</source>
        <translation>多 %1 行</translation>
    </message>
    <message>
        <source>it has %1 rows fewer</source>
        <translation>少 %1 行</translation>
    </message>
    <message>
        <source>%1 value is missing</source>
        <translation>缺少 %1 个值</translation>
    </message>
    <message>
        <source>%1 values are missing</source>
        <translation>缺少 %1 个值</translation>
    </message>
    <message>
        <source>%1 of the %2 compared values of its first and last row differ</source>
        <translation>首行和末行的 %2 个所比较的值中有 %1 个不同</translation>
    </message>
    <message>
        <source>its times differ</source>
        <translation>其时间不同</translation>
    </message>
    <message>
        <source>rows, channels, first and last row</source>
        <translation>行数、通道数、首行和末行</translation>
    </message>
    <message>
        <source>%1 and times</source>
        <translation>%1以及时间</translation>
    </message>
    <message>
        <source>values of %1 differ</source>
        <translation>通道 %1 的值不同</translation>
    </message>
    <message>
        <source>values differ, or are in another order</source>
        <translation>值不同，或顺序不同</translation>
    </message>
    <message>
        <source>%1 and the sums of the channels</source>
        <translation>%1以及各通道的和</translation>
    </message>
    <message>
        <source>%1 (series); %2 (time); %3, %4 (values)</source>
        <translation>%1（序列）；%2（时间）；%3、%4（值）</translation>
    </message>
    <message>
        <source>the rows are of several series: the column %1 says which, and %2 repeats or goes back</source>
        <translation>各行属于多个序列：列 %1 指明所属序列，而 %2 有重复或倒退</translation>
    </message>
    <message>
        <source>a table with each time once, or a long file with usual names of its columns</source>
        <translation>每个时间只出现一次的表格，或列名为常用名称的长格式文件</translation>
    </message>
    <message>
        <source>the %1 file is damaged or truncated: %2</source>
        <translation>%1 文件已损坏或被截断：%2</translation>
    </message>
    <message>
        <source>the %1 file is damaged or truncated</source>
        <translation>%1 文件已损坏或被截断</translation>
    </message>
    <message>
        <source>a complete file</source>
        <translation>完整的文件</translation>
    </message>
    <message>
        <source>Copy or download it again.</source>
        <translation>请重新复制或下载。</translation>
    </message>
    <message>
        <source>the zip archive has no data file</source>
        <translation>zip 归档中没有数据文件</translation>
    </message>
    <message>
        <source>the zip archive has %1 files: %2</source>
        <translation>zip 归档中有 %1 个文件：%2</translation>
    </message>
    <message>
        <source>one data file</source>
        <translation>一个数据文件</translation>
    </message>
    <message>
        <source>Unpack it, and give the data file.</source>
        <translation>请将其解包，然后指定数据文件。</translation>
    </message>
    <message>
        <source>it is encrypted with a password</source>
        <translation>它已用密码加密</translation>
    </message>
    <message>
        <source>a readable file</source>
        <translation>可读的文件</translation>
    </message>
    <message>
        <source>it has no content</source>
        <translation>它没有内容</translation>
    </message>
    <message>
        <source>it is not compressed</source>
        <translation>它未经压缩</translation>
    </message>
    <message>
        <source>a compressed file</source>
        <translation>压缩文件</translation>
    </message>
    <message>
        <source>%1 in a zip archive</source>
        <translation>zip 归档中的 %1</translation>
    </message>
    <message>
        <source>its unpacked content has more than %1, and the file only %2 bytes</source>
        <translation>其解包后的内容超过 %1，而文件只有 %2 字节</translation>
    </message>
    <message>
        <source>at most %1 times the size of the file or 256 MiB</source>
        <translation>最多为文件大小的 %1 倍，或 256 MiB</translation>
    </message>
    <message>
        <source>If the content is right, unpack the file first.</source>
        <translation>如果内容无误，请先解包文件。</translation>
    </message>
    <message>
        <source>there is no channel %1, or it was left out for its missing cells</source>
        <translation>没有通道 %1，或该通道因有缺失单元格而被省略</translation>
    </message>
    <message>
        <source>there is no channel %1 among those of data.columns</source>
        <translation>data.columns 的通道中没有通道 %1</translation>
    </message>
    <message>
        <source>names of channels that a run reads</source>
        <translation>运行所读取的通道名称</translation>
    </message>
    <message>
        <source>%1 (%2 of %3 channels)</source>
        <translation>%1（%3 个通道中的 %2 个）</translation>
    </message>
    <message>
        <source>Monash .tsf</source>
        <translation>Monash .tsf</translation>
    </message>
    <message>
        <source>CSV with a row per value</source>
        <translation>每行一个值的 CSV</translation>
    </message>
    <message>
        <source>this is a collection of series (%1)</source>
        <translation>这是序列集合（%1）</translation>
    </message>
    <message>
        <source>%1, target, value %2: %3 is not a finite number</source>
        <translation>%1，target，第 %2 个值：%3 不是有限数</translation>
    </message>
    <message>
        <source>a target of one dimension</source>
        <translation>一维的 target</translation>
    </message>
    <message>
        <source>a finite number, or null</source>
        <translation>有限数，或 null</translation>
    </message>
    <message>
        <source>Write a line per dimension.</source>
        <translation>请每个维度写一行。</translation>
    </message>
    <message>
        <source>Correct the value, or remove the series.</source>
        <translation>请更正该值，或删除该序列。</translation>
    </message>
    <message>
        <source>the line is not JSON: %1</source>
        <translation>该行不是 JSON：%1</translation>
    </message>
    <message>
        <source>Write one object per line, without line breaks inside it.</source>
        <translation>请每行写一个对象，对象内不换行。</translation>
    </message>
    <message>
        <source>the line is no JSON object</source>
        <translation>该行不是 JSON 对象</translation>
    </message>
    <message>
        <source>%1 has no array &quot;target&quot;</source>
        <translation>%1 没有数组 &quot;target&quot;</translation>
    </message>
    <message>
        <source>left out: %1; of a line, item_id, freq and target are read</source>
        <translation>省略：%1；每行只读取 item_id、freq 和 target</translation>
    </message>
    <message>
        <source>the file has no lines</source>
        <translation>文件中没有行</translation>
    </message>
    <message>
        <source>%1 has the freq %2, %3 has %4</source>
        <translation>%1 的 freq 为 %2，%3 的为 %4</translation>
    </message>
    <message>
        <source>the same freq in every line</source>
        <translation>每行相同的 freq</translation>
    </message>
    <message>
        <source>Divide the file, or set data.frequency.</source>
        <translation>请拆分文件，或设置 data.frequency。</translation>
    </message>
    <message>
        <source>the file begins with {</source>
        <translation>文件以 { 开头</translation>
    </message>
    <message>
        <source>the columns unique_id, ds and y, or other usual names of them</source>
        <translation>列 unique_id、ds 和 y，或其常用的其他名称</translation>
    </message>
    <message>
        <source>the one column of the values: %1</source>
        <translation>唯一的值列：%1</translation>
    </message>
    <message>
        <source>the column %1 holds no numbers</source>
        <translation>列 %1 中没有数字</translation>
    </message>
    <message>
        <source>the values of the series</source>
        <translation>序列的值</translation>
    </message>
    <message>
        <source>each of the columns %1 may hold the values of the series</source>
        <translation>列 %1 中的每一列都可能是序列的值</translation>
    </message>
    <message>
        <source>one column of values, or one of them called y</source>
        <translation>一个值列，或其中一列名为 y</translation>
    </message>
    <message>
        <source>Set data.columns to the one to forecast, as in data.columns = [%1].</source>
        <translation>请将 data.columns 设为要预测的列，例如 data.columns = [%1]。</translation>
    </message>
    <message>
        <source>%1, column %2: %3</source>
        <translation>%1，列 %2：%3</translation>
    </message>
    <message>
        <source>the row has no %1</source>
        <translation>该行没有 %1</translation>
    </message>
    <message>
        <source>is not an integer</source>
        <translation>不是整数</translation>
    </message>
    <message>
        <source>is not a date</source>
        <translation>不是日期</translation>
    </message>
    <message>
        <source>a date, or a whole number, in all rows</source>
        <translation>所有行中均为日期或均为整数</translation>
    </message>
    <message>
        <source>whole numbers, or dates, in all rows</source>
        <translation>所有行中均为整数或均为日期</translation>
    </message>
    <message>
        <source>%1 has %2 %3 twice, first in line %4</source>
        <translation>%1 的 %2 %3 出现两次，首次在第 %4 行</translation>
    </message>
    <message>
        <source>one row per series and time</source>
        <translation>每个序列的每个时间一行</translation>
    </message>
    <message>
        <source>the only time of each series of %1 does not give it</source>
        <translation>%1 的每个序列只有一个时间，无法由此得出频率</translation>
    </message>
    <message>
        <source>%1 after %2</source>
        <translation>%1（在 %2 之后）</translation>
    </message>
    <message>
        <source>the column %1 (whole numbers) of %2 does not give it</source>
        <translation>%2 的列 %1（整数）无法给出频率</translation>
    </message>
    <message>
        <source>left out: %1; a series has one column of values, %2</source>
        <translation>省略：%1；序列只有一个值列 %2</translation>
    </message>
    <message>
        <source>the rows of %1 were not in the order of their times; they are sorted</source>
        <translation>%1 的行未按时间顺序排列；已排序</translation>
    </message>
    <message>
        <source>the rows of %1 series, the first is %2, were not in the order of their times; they are sorted</source>
        <translation>%1 个序列（首个为 %2）的行未按时间顺序排列；已排序</translation>
    </message>
    <message>
        <source>%1 step differs from the usual one (%2), the first in %3; the values are taken as if they were evenly spaced</source>
        <translation>%1 个步长与通常的步长（%2）不同，首个在 %3；各值按等间隔处理</translation>
    </message>
    <message>
        <source>%1 steps differ from the usual one (%2), the first in %3; the values are taken as if they were evenly spaced</source>
        <translation>%1 个步长与通常的步长（%2）不同，首个在 %3；各值按等间隔处理</translation>
    </message>
    <message>
        <source>its name</source>
        <translation>其名称</translation>
    </message>
    <message>
        <source>the only column that may be it: %1</source>
        <translation>唯一可能的列：%1</translation>
    </message>
    <message>
        <source>a .tsf file</source>
        <translation>.tsf 文件</translation>
    </message>
    <message>
        <source>Correct the line.</source>
        <translation>请更正该行。</translation>
    </message>
    <message>
        <source>@data without any @attribute before it</source>
        <translation>@data 之前没有任何 @attribute</translation>
    </message>
    <message>
        <source>@attribute NAME TYPE lines</source>
        <translation>@attribute NAME TYPE 行</translation>
    </message>
    <message>
        <source>@horizon %1</source>
        <translation>@horizon %1</translation>
    </message>
    <message>
        <source>a whole number above 0</source>
        <translation>大于 0 的整数</translation>
    </message>
    <message>
        <source>there is no line @data</source>
        <translation>没有 @data 行</translation>
    </message>
    <message>
        <source>Download the file again.</source>
        <translation>请重新下载文件。</translation>
    </message>
    <message>
        <source>%1, value %2: %3 is not a number</source>
        <translation>%1，第 %2 个值：%3 不是数字</translation>
    </message>
    <message>
        <source>%1, value %2: %3 is infinite</source>
        <translation>%1，第 %2 个值：%3 是无穷大</translation>
    </message>
    <message>
        <source>a finite number, or ?</source>
        <translation>有限数，或 ?</translation>
    </message>
    <message>
        <source>the line has %1 fields between colons</source>
        <translation>该行以冒号分隔的字段有 %1 个</translation>
    </message>
    <message>
        <source>%1: the %2 attributes of the header, then the values</source>
        <translation>%1 个：先是文件头中的 %2 个属性，然后是值</translation>
    </message>
    <message>
        <source>Correct the line, or remove it.</source>
        <translation>请更正该行，或将其删除。</translation>
    </message>
    <message>
        <source>there are no series behind @data</source>
        <translation>@data 之后没有序列</translation>
    </message>
    <message>
        <source>a line per series</source>
        <translation>每个序列一行</translation>
    </message>
    <message>
        <source>@ lines before @data</source>
        <translation>@data 之前的 @ 行</translation>
    </message>
    <message>
        <source>%1 value</source>
        <translation>%1 个值</translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation>%1 个值</translation>
    </message>
    <message>
        <source>%1 missing value in %2</source>
        <translation>%2 中有 %1 个缺失值</translation>
    </message>
    <message>
        <source>%1 missing value in %2, the first in %3</source>
        <translation>%2 中有 %1 个缺失值，首个在 %3</translation>
    </message>
    <message>
        <source>%1 missing values in %2</source>
        <translation>%2 中有 %1 个缺失值</translation>
    </message>
    <message>
        <source>%1 missing values in %2, the first in %3</source>
        <translation>%2 中有 %1 个缺失值，首个在 %3</translation>
    </message>
    <message>
        <source>every series has missing values</source>
        <translation>每个序列都有缺失值</translation>
    </message>
    <message>
        <source>a series without</source>
        <translation>没有缺失值的序列</translation>
    </message>
    <message>
        <source>Set data.missing = &quot;interpolate&quot;.</source>
        <translation>请设置 data.missing = &quot;interpolate&quot;。</translation>
    </message>
    <message>
        <source>a series with values</source>
        <translation>有值的序列</translation>
    </message>
    <message>
        <source>Remove the series.</source>
        <translation>请删除该序列。</translation>
    </message>
    <message>
        <source>: before the first known value; left out, the series begin with it</source>
        <translation>：位于首个已知值之前；已省略，序列从首个已知值开始</translation>
    </message>
    <message>
        <source>: after the last known value; left out, the test values are the last known ones</source>
        <translation>：位于最后一个已知值之后；已省略，测试值为最后的已知值</translation>
    </message>
    <message>
        <source>the file asks for a horizon of %1, data.horizon is %2</source>
        <translation>文件要求的预测步长为 %1，而 data.horizon 为 %2</translation>
    </message>
    <message>
        <source>: these series are left out</source>
        <translation>：这些序列已省略</translation>
    </message>
    <message>
        <source>%1, between known ones</source>
        <translation>%1，位于已知值之间</translation>
    </message>
    <message>
        <source>a number for every time of a series</source>
        <translation>序列的每个时间都有一个数字</translation>
    </message>
    <message>
        <source>Set data.missing = &quot;interpolate&quot; to fill them from their neighbours, or &quot;drop-column&quot; to leave out these series.</source>
        <translation>请设置 data.missing = &quot;interpolate&quot; 以用相邻值填充，或设置 &quot;drop-column&quot; 以省略这些序列。</translation>
    </message>
    <message>
        <source>: filled from the neighbours</source>
        <translation>：已用相邻值填充</translation>
    </message>
    <message>
        <source>here; a run needs data.missing = &quot;interpolate&quot; or &quot;drop-column&quot;</source>
        <translation>（仅在此处；运行需要 data.missing = &quot;interpolate&quot; 或 &quot;drop-column&quot;）</translation>
    </message>
    <message>
        <source>; %1 of them test values, against which errors are computed</source>
        <translation>；其中 %1 个是用于计算误差的测试值</translation>
    </message>
    <message>
        <source>%1 has no %2</source>
        <translation>%1 没有 %2</translation>
    </message>
    <message>
        <source>%1 of %2 is %3</source>
        <translation>%2 的 %1 为 %3</translation>
    </message>
    <message>
        <source>not set, and %1</source>
        <translation>未设置，而 %1</translation>
    </message>
    <message>
        <source>the time of each row at or after that of the row before, for a split by dates</source>
        <translation>每行的时间不早于前一行的时间，以便按日期划分</translation>
    </message>
    <message>
        <source>Give data.split row counts or fractions, or sort the rows of the file.</source>
        <translation>请在 data.split 中指定行数或比例，或对文件的行排序。</translation>
    </message>
    <message>
        <source>the file has no time axis</source>
        <translation>文件没有时间轴</translation>
    </message>
    <message>
        <source>one, for a split by dates</source>
        <translation>有时间轴，以便按日期划分</translation>
    </message>
    <message>
        <source>Give data.split row counts or fractions, or name the column with data.csv.time_column.</source>
        <translation>请在 data.split 中指定行数或比例，或用 data.csv.time_column 指定时间列。</translation>
    </message>
    <message>
        <source>the time of %1 cannot be read</source>
        <translation>%1 的时间无法读取</translation>
    </message>
    <message>
        <source>the time of %1, %2, is before that of the row before, %3</source>
        <translation>%1 的时间 %2 早于前一行的时间 %3</translation>
    </message>
    <message>
        <source>%1 is no date</source>
        <translation>%1 不是日期</translation>
    </message>
    <message>
        <source>a date such as &quot;2018-07-01&quot; or &quot;2018-07-01 12:00&quot;</source>
        <translation>日期，例如 &quot;2018-07-01&quot; 或 &quot;2018-07-01 12:00&quot;</translation>
    </message>
    <message>
        <source>%1 is after the last row</source>
        <translation>%1 晚于最后一行</translation>
    </message>
    <message>
        <source>%1 is not after the first row</source>
        <translation>%1 不晚于第一行</translation>
    </message>
    <message>
        <source>dates within the file: after %1 and up to %2</source>
        <translation>文件范围内的日期：晚于 %1，且不晚于 %2</translation>
    </message>
    <message>
        <source>validation would begin at %1 (%2) and test at %3 (%4)</source>
        <translation>验证集将始于 %1（%2），而测试集将始于 %3（%4）</translation>
    </message>
    <message>
        <source>the date of the first validation row, then a later one of the first test row</source>
        <translation>验证集第一行的日期，然后是测试集第一行的更晚日期</translation>
    </message>
    <message>
        <source>Unix microseconds</source>
        <translation>Unix 微秒</translation>
    </message>
    <message>
        <source>Unix nanoseconds</source>
        <translation>Unix 纳秒</translation>
    </message>
    <message>
        <source>days of a spreadsheet</source>
        <translation>电子表格的天数</translation>
    </message>
    <message>
        <source>MATLAB days</source>
        <translation>MATLAB 天数</translation>
    </message>
    <message>
        <source>Julian days</source>
        <translation>儒略日</translation>
    </message>
    <message>
        <source>daylight saving is not listed up to 2037</source>
        <translation>夏令时未列至 2037 年</translation>
    </message>
    <message>
        <source>the system&apos;s time zones cannot be read: %1</source>
        <translation>无法读取系统的时区：%1</translation>
    </message>
    <message>
        <source>a database of &quot;fat&quot; files, as in Debian&apos;s package tzdata</source>
        <translation>由 &quot;fat&quot; 文件组成的数据库，例如 Debian 的 tzdata 软件包</translation>
    </message>
    <message>
        <source>Install it.</source>
        <translation>请安装它。</translation>
    </message>
    <message>
        <source>%1 is not a zone of the system&apos;s database</source>
        <translation>%1 不是系统数据库中的时区</translation>
    </message>
    <message>
        <source>a name such as &quot;Europe/Berlin&quot;</source>
        <translation>名称，例如 &quot;Europe/Berlin&quot;</translation>
    </message>
    <message>
        <source>The nearest is %1.</source>
        <translation>最接近的是 %1。</translation>
    </message>
    <message>
        <source>time zone</source>
        <translation>时区</translation>
    </message>
    <message>
        <source>the time %1 in %2</source>
        <translation>%2 中的时间 %1</translation>
    </message>
    <message>
        <source>times before 2038, up to which daylight saving is known</source>
        <translation>2038 年之前的时间，此前的夏令时是已知的</translation>
    </message>
    <message>
        <source>%1 business day has no row in the look-back (holidays); the forecast counts on none ahead</source>
        <translation>回看窗口中有 %1 个工作日没有行（节假日）；预测假定之后没有节假日</translation>
    </message>
    <message>
        <source>%1 business days have no row in the look-back (holidays); the forecast counts on none ahead</source>
        <translation>回看窗口中有 %1 个工作日没有行（节假日）；预测假定之后没有节假日</translation>
    </message>
    <message>
        <source>This is one of several files: set backbone.path to their folder.</source>
        <translation>这是多个文件之一：请将 backbone.path 设为其所在文件夹。</translation>
    </message>
    <message>
        <source>the time between rows (%1) has no usual season</source>
        <translation>行之间的时间（%1）没有通常的季节周期</translation>
    </message>
    <message>
        <source>Weights alone can be evaluated (--evaluate FILE.safetensors) or be a backbone.</source>
        <translation>单独的权重可以评估（--evaluate FILE.safetensors），或作为骨干网络。</translation>
    </message>
    <message>
        <source>Set it to %1.</source>
        <translation>请将其设为 %1。</translation>
    </message>
    <message>
        <source>%1 is a file</source>
        <translation>%1 是文件</translation>
    </message>
    <message>
        <source>the dates cannot be found in a file that is not there yet</source>
        <translation>文件尚不存在，无法在其中查找日期</translation>
    </message>
    <message>
        <source>Download the data set first.</source>
        <translation>请先下载数据集。</translation>
    </message>
    <message>
        <source>its type is F64 and it has a value of %1</source>
        <translation>其类型为 F64，且有一个值为 %1</translation>
    </message>
    <message>
        <source>values in the range of F32</source>
        <translation>F32 范围内的值</translation>
    </message>
    <message>
        <source>Write the file again with smaller values.</source>
        <translation>请以较小的值重新写入文件。</translation>
    </message>
    <message>
        <source>the index of weights in several files: {&quot;weight_map&quot;: {&quot;NAME&quot;: &quot;FILE&quot;}}</source>
        <translation>多文件权重的索引：{&quot;weight_map&quot;: {&quot;NAME&quot;: &quot;FILE&quot;}}</translation>
    </message>
    <message>
        <source>a .safetensors file or its index</source>
        <translation>.safetensors 文件或其索引</translation>
    </message>
    <message>
        <source>not JSON: %1</source>
        <translation>不是 JSON：%1</translation>
    </message>
    <message>
        <source>Download or write it again.</source>
        <translation>请重新下载或写入。</translation>
    </message>
    <message>
        <source>it has no &quot;weight_map&quot;</source>
        <translation>它没有 &quot;weight_map&quot;</translation>
    </message>
    <message>
        <source>Choose a .safetensors file.</source>
        <translation>请选择 .safetensors 文件。</translation>
    </message>
    <message>
        <source>F64, F32, F16 or BF16</source>
        <translation>F64、F32、F16 或 BF16</translation>
    </message>
    <message>
        <source>the prefix &quot;%1&quot; of its %2 tensor names was removed</source>
        <translation>已从其 %2 个张量名称中去除前缀 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>%1 of its %2 tensors were converted from float64 to float32</source>
        <translation>其 %2 个张量中有 %1 个已从 float64 转换为 float32</translation>
    </message>
    <message>
        <source>; %1 of its %2 tensors were converted from float64 to float32</source>
        <translation>；其 %2 个张量中有 %1 个已从 float64 转换为 float32</translation>
    </message>
    <message>
        <source>the time goes back from %1 to %2, and %3 more times; the rows were sorted by time (data.csv.order = &quot;as-written&quot; keeps them)</source>
        <translation>时间从 %1 倒退到 %2，另有 %3 次；各行已按时间排序（data.csv.order = &quot;as-written&quot; 保持原序）</translation>
    </message>
    <message>
        <source>the time goes back from %1 to %2; the rows were sorted by time (data.csv.order = &quot;as-written&quot; keeps them)</source>
        <translation>时间从 %1 倒退到 %2；各行已按时间排序（data.csv.order = &quot;as-written&quot; 保持原序）</translation>
    </message>
    <message>
        <source>Correct data.split.</source>
        <translation>请更正 data.split。</translation>
    </message>
    <message>
        <source>Choose other dates, or give data.split fractions such as [0.7, 0.1, 0.2].</source>
        <translation>请选择其他日期，或为 data.split 给出比例，如 [0.7, 0.1, 0.2]。</translation>
    </message>
    <message>
        <source>Choose other dates.</source>
        <translation>请选择其他日期。</translation>
    </message>
    <message>
        <source>the comment before the rows has %1 cells for %2 columns: if they are names, they are not used</source>
        <translation>行之前的注释有 %1 个单元格，而列有 %2 个：如果它们是名称，则未被使用</translation>
    </message>
    <message>
        <source>rises as elapsed time does and is left out (data.csv.row_numbers keeps it)</source>
        <translation>像经过的时间那样递增，已略去（data.csv.row_numbers 可保留它）</translation>
    </message>
    <message>
        <source>date format</source>
        <translation>日期格式</translation>
    </message>
    <message>
        <source>it counts a part of the time</source>
        <translation>它计数时间的一个组成部分</translation>
    </message>
    <message>
        <source>the first columns are read as parts of the time: year, month, day, hour (data.csv.time_column sets them)</source>
        <translation>前几列被读作时间的组成部分：年、月、日、时（data.csv.time_column 可设置）</translation>
    </message>
    <message>
        <source>the first columns are read as parts of the time: year, month, day (data.csv.time_column sets them)</source>
        <translation>前几列被读作时间的组成部分：年、月、日（data.csv.time_column 可设置）</translation>
    </message>
    <message>
        <source>the first columns are read as parts of the time: year, month (data.csv.time_column sets them)</source>
        <translation>前几列被读作时间的组成部分：年、月（data.csv.time_column 可设置）</translation>
    </message>
    <message>
        <source>%1 of %2 test windows is missing: %3</source>
        <translation>缺少 %2 个测试窗口中的 %1 个：%3</translation>
    </message>
    <message>
        <source>%1 of %2 test windows are missing: %3</source>
        <translation>缺少 %2 个测试窗口中的 %1 个：%3</translation>
    </message>
    <message>
        <source>Convert it with Python: %1</source>
        <translation>请用 Python 转换：%1</translation>
    </message>
    <message>
        <source>Convert it with Python, each array to a file: %1</source>
        <translation>请用 Python 转换，每个数组存为一个文件：%1</translation>
    </message>
    <message>
        <source>Convert it with Python, each table to a file: %1</source>
        <translation>请用 Python 转换，每个表存为一个文件：%1</translation>
    </message>
    <message>
        <source>Convert it with Python, at one place (.sel(…) or .isel(…) before .to_dataframe()) if it has a grid: %1</source>
        <translation>请用 Python 转换；若含有网格，请选取一个位置（在 .to_dataframe() 之前使用 .sel(…) 或 .isel(…)）：%1</translation>
    </message>
    <message>
        <source>Convert it in R: %1</source>
        <translation>请在 R 中转换：%1</translation>
    </message>
    <message>
        <source>Convert it in R, each object to a file: %1</source>
        <translation>请在 R 中转换，每个对象存为一个文件：%1</translation>
    </message>
    <message>
        <source>a file of these kinds: %1</source>
        <translation>下列种类之一的文件：%1</translation>
    </message>
    <message>
        <source>no column holds numbers</source>
        <translation>没有含数字的列</translation>
    </message>
    <message>
        <source>no column holds numbers; %1</source>
        <translation>没有含数字的列；%1</translation>
    </message>
    <message>
        <source>%1 columns have hours as names, such as &quot;%2&quot;: each row seems to be a day; write a row for each hour, else each hour is forecast as a separate channel</source>
        <translation>%1 列以小时为名称，例如“%2”：每行似乎是一天；请让每小时占一行，否则每个小时会作为单独的通道预测</translation>
    </message>
    <message>
        <source>%1 columns have times as names, such as &quot;%2&quot;: each row seems to be a series; transpose the table, so that it has a row for each time</source>
        <translation>%1 列以时间为名称，例如“%2”：每行似乎是一个序列；请转置该表，使每个时间占一行</translation>
    </message>
    <message>
        <source>the predictions are the truths in all channels: the truths seem to be stored in their place</source>
        <translation>所有通道的预测值都等于真实值：预测的位置上存放的似乎是真实值</translation>
    </message>
    <message>
        <source>the predictions are the truths in %1: the truths seem to be stored in their place</source>
        <translation>%1 的预测值等于真实值：预测的位置上存放的似乎是真实值</translation>
    </message>
    <message>
        <source>The arrays have all channels of the data set: they are audited over all of them, not over data.targets.</source>
        <translation>数组包含数据集的所有通道：审计针对全部通道，而不是 data.targets。</translation>
    </message>
    <message>
        <source>Lower data.csv.first_line, header_lines, unit_lines or footer_lines: they leave no row.</source>
        <translation>请减小 data.csv.first_line、header_lines、unit_lines 或 footer_lines：它们没有留下任何行。</translation>
    </message>
    <message>
        <source>a column has numbers that need it</source>
        <translation>有一列的数字需要它</translation>
    </message>
    <message>
        <source>it is not the thousands sign</source>
        <translation>它不是千位分隔符</translation>
    </message>
    <message>
        <source>the text is not UTF-8, as it is said to be: letters beyond ASCII may be others (data.csv.encoding sets it)</source>
        <translation>文本并非所声明的 UTF-8：ASCII 之外的字母可能有误（可用 data.csv.encoding 设置）</translation>
    </message>
    <message>
        <source>data.csv.date_format = %1 has no effect: no date begins with a day or month in digits</source>
        <translation>data.csv.date_format = %1 不起作用：没有日期以数字形式的日或月开头</translation>
    </message>
    <message>
        <source>%1 fits no column of the file</source>
        <translation>%1 不适合文件的任何列</translation>
    </message>
    <message>
        <source>%1 does not fit column &quot;%2&quot;, which holds %3</source>
        <translation>%1 不适合列“%2”，该列的内容为 %3</translation>
    </message>
    <message>
        <source>&quot;auto&quot;, or the form of its times</source>
        <translation>&quot;auto&quot; 或其时间的格式</translation>
    </message>
    <message>
        <source>data.csv.time_column names the column of the times.</source>
        <translation>data.csv.time_column 指定时间所在的列。</translation>
    </message>
    <message>
        <source>rises evenly</source>
        <translation>均匀递增</translation>
    </message>
    <message>
        <source>newest row first; sorted by time</source>
        <translation>最新的行在前；已按时间排序</translation>
    </message>
    <message>
        <source>the rows were reversed, since data.csv.order is &quot;newest-first&quot;</source>
        <translation>行已倒序，因为 data.csv.order 为“newest-first”</translation>
    </message>
    <message>
        <source>not by time; sorted by time</source>
        <translation>未按时间排列；已按时间排序</translation>
    </message>
    <message>
        <source>Fetch the file itself with git lfs pull, or download it.</source>
        <translation>请用 git lfs pull 获取文件本身，或下载该文件。</translation>
    </message>
    <message>
        <source>a pointer of Git LFS to the file</source>
        <translation>指向该文件的 Git LFS 指针</translation>
    </message>
    <message>
        <source>Its values have fewer digits than those of %1: errors differ from those on the catalogue&apos;s file</source>
        <translation>其数值的位数少于 %1 的数值：误差与目录中文件上的误差不同</translation>
    </message>
    <message>
        <source>. Its values have fewer digits than those of %1: errors differ from those on the catalogue&apos;s file</source>
        <translation>。其数值的位数少于 %1 的数值：误差与目录中文件上的误差不同</translation>
    </message>
    <message>
        <source>the %1 part has %2 row at data.percent = %3 (%4), no window fits</source>
        <translation>%1部分在 data.percent = %3 时有 %2 行（%4），容不下任何窗口</translation>
    </message>
    <message>
        <source>the %1 part has %2 row (%3), no window fits</source>
        <translation>%1部分有 %2 行（%3），容不下任何窗口</translation>
    </message>
    <message>
        <source>it is in %1, whose runs are merged</source>
        <translation>它位于 %1 中，而其中的运行正要合并</translation>
    </message>
    <message>
        <source>a folder outside of the merged ones</source>
        <translation>位于待合并文件夹之外的文件夹</translation>
    </message>
    <message>
        <source>Choose another --out folder: the runs would be there twice.</source>
        <translation>请选择其他 --out 文件夹：否则这些运行会出现两次。</translation>
    </message>
    <message>
        <source>the %1 in numbers is read as the decimal separator; but three digits follow each of the sampled ones, as after a thousands separator: if it is one, set data.csv.thousands</source>
        <translation>数字中的%1按小数分隔符读取；但抽样的每个之后都有三位数字，如同千位分隔符之后：如果它是千位分隔符，请设置 data.csv.thousands</translation>
    </message>
    <message>
        <source>year first</source>
        <translation>年在前</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no row of the table and is left out; if other columns begin here, the rows below it are in the wrong ones: make two files of it</source>
        <translation>“%1”不是表的行，已省略；如果此处开始的是其他列，则其下的行位于错误的列中：请拆分为两个文件</translation>
    </message>
    <message>
        <source>numbers further down need it</source>
        <translation>靠后的数字需要它</translation>
    </message>
    <message>
        <source>the numbers of the first column are read as years (data.csv.time_column sets it)</source>
        <translation>第一列的数字按年份读取（可用 data.csv.time_column 设置）</translation>
    </message>
    <message>
        <source>most times are not exactly %1 behind the one before; the rows are taken as that far apart</source>
        <translation>大多数时间与前一个时间并非恰好相隔 %1；各行按此间隔处理</translation>
    </message>
    <message>
        <source>the dates can be read with the year or with the day first; year first gives the more regular steps and was used (data.csv.date_format sets it)</source>
        <translation>日期既可按年在前、也可按日在前读取；年在前的间隔更规则，已采用（由 data.csv.date_format 设置）</translation>
    </message>
    <message>
        <source>the dates can be read with the day or with the month first; both are equally regular, %1 was used (data.csv.date_format sets it)</source>
        <translation>日期既可按日在前、也可按月在前读取；两者同样规则，已采用%1（由 data.csv.date_format 设置）</translation>
    </message>
    <message>
        <source>the dates can be read with the day or with the month first; %1 gives the more regular steps and was used (data.csv.date_format sets it)</source>
        <translation>日期既可按日在前、也可按月在前读取；%1的间隔更规则，已采用（由 data.csv.date_format 设置）</translation>
    </message>
    <message>
        <source>rises by %1 on every row, as a clock or counter does: if it is one, leave it out with data.columns, since it is easy to forecast and lowers the errors</source>
        <translation>每行递增 %1，如同时钟或计数器：如果是，请用 data.columns 将其排除，因为它很容易预测，会降低误差</translation>
    </message>
    <message>
        <source>rises by 1 on most rows, as a clock or counter does: if it is one, leave it out with data.columns, since it is easy to forecast and lowers the errors</source>
        <translation>大多数行递增 1，如同时钟或计数器：如果是，请用 data.columns 将其排除，因为它很容易预测，会降低误差</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; repeats a part of the time axis: as a channel it is easy to forecast and lowers the errors; data.columns leaves it out</source>
        <translation>列 &quot;%1&quot; 重复时间轴的一部分：作为通道时它容易预测，会降低误差；data.columns 可将其省略</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; is read as a channel, although its name says a time; data.csv.time_column makes it the time axis, data.columns leaves it out</source>
        <translation>列 &quot;%1&quot; 作为通道读取，但其名称表示时间；data.csv.time_column 可将其设为时间轴，data.columns 可将其省略</translation>
    </message>
    <message>
        <source>it counts the parts of each day</source>
        <translation>它对每天的各个时段计数</translation>
    </message>
    <message>
        <source>no rows of the table: %1</source>
        <translation>不是表格的数据行：%1</translation>
    </message>
    <message>
        <source>%1 at the end of the file is no row of the table and left out (%2); data.csv.footer_lines sets their number</source>
        <translation>文件末尾的 %1不是表格的数据行，已省略（%2）；其数量由 data.csv.footer_lines 设置</translation>
    </message>
    <message>
        <source>Wait for its first checkpoint, after its first step.</source>
        <translation>请等待其第一个检查点，在第一步之后。</translation>
    </message>
    <message>
        <source>Choose another run, or continue this one first.</source>
        <translation>请选择另一个运行，或先继续此运行。</translation>
    </message>
    <message>
        <source>this run is a fork</source>
        <translation>此运行是分支</translation>
    </message>
    <message>
        <source>a run trained from its start</source>
        <translation>从头训练的运行</translation>
    </message>
    <message>
        <source>Highlight its parent.</source>
        <translation>请高亮其父运行。</translation>
    </message>
    <message>
        <source>a picture of %1 × %2 pixels is too large</source>
        <translation>%1 × %2 像素的图片过大</translation>
    </message>
    <message>
        <source>at most 32767 pixels a side, and as many as fit into the memory</source>
        <translation>每边最多 32767 像素，且内存能够容纳</translation>
    </message>
    <message>
        <source>mean (n = 1: value)</source>
        <translation>均值（n = 1：单值）</translation>
    </message>
    <message>
        <source>No pairs: runs of the same seed at %1 and at another value also differ in other settings (%2).</source>
        <translation>没有配对：随机种子相同、取值为 %1 和其他值的运行还在其他设置上不同（%2）。</translation>
    </message>
    <message>
        <source>%1: not distinguishable (%2), although the 95 % interval excludes 0</source>
        <translation>%1：无法区分（%2），尽管 95 % 区间不含 0</translation>
    </message>
    <message>
        <source>Each error is the value of a single run, not a mean.</source>
        <translation>每个误差都是单个运行的值，不是均值。</translation>
    </message>
    <message>
        <source>Precision of matrix products; all else and stored weights are fp32. bf16: products of backbone and anchors, on GPUs since Ampere and processors with AVX512_BF16; tf32: all products, on NVIDIA GPUs since Ampere; auto: bf16 where the device has it, else fp32</source>
        <translation>矩阵乘积的精度；其他一切以及存储的权重均为 fp32。bf16：骨干网络和锚点的乘积，用于 Ampere 及以后的 GPU 和带 AVX512_BF16 的处理器；tf32：所有乘积，用于 Ampere 及以后的 NVIDIA GPU；auto：设备支持时为 bf16，否则为 fp32</translation>
    </message>
    <message>
        <source>in tf32 within 0.02 · max(1, |forecast|), %1</source>
        <translation>tf32 下误差不超过 0.02 · max(1, |预测|)，%1</translation>
    </message>
    <message>
        <source>%1 (%2, %3 threads, %4, LibTorch %5)</source>
        <translation>%1（%2，%3 个线程，%4，LibTorch %5）</translation>
    </message>
    <message>
        <source>%1 (%2, %3, LibTorch %4)</source>
        <translation>%1（%2，%3，LibTorch %4）</translation>
    </message>
    <message>
        <source>%1 has no products in %2: it computes in %3</source>
        <translation>%1 没有 %2 的乘积：它以 %3 计算</translation>
    </message>
    <message>
        <source>Means over runs of different precisions (column precision): compare them with care.</source>
        <translation>均值取自精度不同的运行（列 precision）：比较时须谨慎。</translation>
    </message>
    <message>
        <source>the run was trained in %1, which %2 does not support: its forecasts are computed in fp32 and differ slightly</source>
        <translation>该运行以 %1 训练，而 %2 不支持：其预测以 fp32 计算，略有不同</translation>
    </message>
    <message>
        <source>%1 does not support tf32 (NVIDIA GPUs since Ampere, compute capability 8.0)</source>
        <translation>%1 不支持 tf32（需要 Ampere 及以后的 NVIDIA GPU，计算能力 8.0）</translation>
    </message>
    <message>
        <source>putting the model on %1</source>
        <translation>将模型放到 %1</translation>
    </message>
    <message>
        <source>Choose a smaller backbone or pool, or close other programs.</source>
        <translation>请选择较小的骨干网络或锚点池，或关闭其他程序。</translation>
    </message>
    <message>
        <source>putting the data on %1</source>
        <translation>将数据放到 %1</translation>
    </message>
    <message>
        <source>Use fewer channels (data.columns), or close other programs.</source>
        <translation>请使用较少的通道（data.columns），或关闭其他程序。</translation>
    </message>
    <message>
        <source>a step needs about %1, and %2 are free on %3: the run uses %4</source>
        <translation>一步约需 %1，而 %3 上空闲 %2：该运行使用 %4</translation>
    </message>
    <message>
        <source>the embeddings of a snapshot</source>
        <translation>快照的嵌入</translation>
    </message>
    <message>
        <source>Set run.store_embeddings to false.</source>
        <translation>请将 run.store_embeddings 设为 false。</translation>
    </message>
    <message>
        <source>An evaluation computes %1 windows at once: set train.batch_size to %2 or less.</source>
        <translation>一次评估同时计算 %1 个窗口：请将 train.batch_size 设为 %2 或更小。</translation>
    </message>
    <message>
        <source>the validation after step %1</source>
        <translation>第 %1 步后的验证</translation>
    </message>
    <message>
        <source>release %1 or later</source>
        <translation>%1 或更高版本</translation>
    </message>
    <message>
        <source>one for CUDA %1 or later</source>
        <translation>用于 CUDA %1 或更高版本的驱动</translation>
    </message>
    <message>
        <source>the NVIDIA driver is too old: it supports CUDA %1, and this LibTorch has CUDA %2</source>
        <translation>NVIDIA 驱动过旧：它支持 CUDA %1，而此 LibTorch 使用 CUDA %2</translation>
    </message>
    <message>
        <source>the NVIDIA driver %1 is too old: it supports CUDA %2, and this LibTorch has CUDA %3</source>
        <translation>NVIDIA 驱动 %1 过旧：它支持 CUDA %2，而此 LibTorch 使用 CUDA %3</translation>
    </message>
    <message>
        <source>a driver of %1</source>
        <translation>驱动 %1</translation>
    </message>
    <message>
        <source>this LibTorch has no code for %1 (compute capability %2)</source>
        <translation>此 LibTorch 没有用于 %1 的代码（计算能力 %2）</translation>
    </message>
    <message>
        <source>a GPU of compute capability %1</source>
        <translation>计算能力为 %1 的 GPU</translation>
    </message>
    <message>
        <source>an illegal memory access was encountered</source>
        <translation>遇到非法内存访问</translation>
    </message>
    <message>
        <source>unspecified launch failure</source>
        <translation>未指明的启动失败</translation>
    </message>
    <message>
        <source>device-side assert triggered</source>
        <translation>设备端断言被触发</translation>
    </message>
    <message>
        <source>an illegal instruction was encountered</source>
        <translation>遇到非法指令</translation>
    </message>
    <message>
        <source>misaligned address</source>
        <translation>地址未对齐</translation>
    </message>
    <message>
        <source>uncorrectable ECC error encountered</source>
        <translation>遇到无法纠正的 ECC 错误</translation>
    </message>
    <message>
        <source>the launch timed out and was terminated</source>
        <translation>启动超时并已终止</translation>
    </message>
    <message>
        <source>an earlier failure (CUDA: %1) has ended the use of GPUs in this process</source>
        <translation>先前的故障（CUDA：%1）使此进程不能再使用 GPU</translation>
    </message>
    <message>
        <source>Restart the program; runs resume from their last checkpoint.</source>
        <translation>请重新启动程序；运行将从其最后的检查点恢复。</translation>
    </message>
    <message>
        <source>Use run.device = &quot;cpu&quot;. caspstudio --fetch cuda downloads the CUDA libraries.</source>
        <translation>请使用 run.device = &quot;cpu&quot;。caspstudio --fetch cuda 可下载 CUDA 库。</translation>
    </message>
    <message>
        <source>Use run.device = &quot;cpu&quot;. nvidia-smi lists the GPUs that the driver finds.</source>
        <translation>请使用 run.device = &quot;cpu&quot;。nvidia-smi 会列出驱动找到的 GPU。</translation>
    </message>
    <message>
        <source>%1; it needs %2</source>
        <translation>%1；它需要 %2</translation>
    </message>
    <message>
        <source>Update the NVIDIA driver, or set run.device = &quot;cpu&quot;.</source>
        <translation>请更新 NVIDIA 驱动，或设置 run.device = &quot;cpu&quot;。</translation>
    </message>
    <message>
        <source>Use another GPU (run.device = &quot;cuda:N&quot;), build with a LibTorch for this one (CASP_LIBTORCH), or set run.device = &quot;cpu&quot;.</source>
        <translation>请使用另一个 GPU（run.device = &quot;cuda:N&quot;），用适合此 GPU 的 LibTorch 构建（CASP_LIBTORCH），或设置 run.device = &quot;cpu&quot;。</translation>
    </message>
    <message>
        <source>the run was trained in %1, which %2 does not support</source>
        <translation>该运行以 %1 训练，而 %2 不支持</translation>
    </message>
    <message>
        <source>NCCL: %1</source>
        <translation>NCCL：%1</translation>
    </message>
    <message>
        <source>another process cannot use it</source>
        <translation>另一个进程无法使用它</translation>
    </message>
    <message>
        <source>several processes use one GPU</source>
        <translation>多个进程使用同一个 GPU</translation>
    </message>
    <message>
        <source>the processes exchange tensors through the host&apos;s memory, which is slower than NCCL: %1</source>
        <translation>各进程通过主机内存交换张量，这比 NCCL 慢：%1</translation>
    </message>
    <message>
        <source>%1 processes exchanged %2 MB per step</source>
        <translation>%1 个进程每步交换 %2 MB</translation>
    </message>
    <message>
        <source>this GPU has too little shared memory</source>
        <translation>该 GPU 的共享内存太小</translation>
    </message>
    <message>
        <source>NVRTC (libnvrtc.so) is not there; caspstudio --fetch cuda downloads it</source>
        <translation>没有 NVRTC（libnvrtc.so）；caspstudio --fetch cuda 会下载它</translation>
    </message>
    <message>
        <source>NVRTC refuses the source</source>
        <translation>NVRTC 拒绝源代码</translation>
    </message>
    <message>
        <source>dropout mask wants an fp32 or bf16 tensor</source>
        <translation>随机失活掩码需要 fp32 或 bf16 张量</translation>
    </message>
    <message>
        <source>a mask of LibTorch&apos;s generator cannot be recorded</source>
        <translation>LibTorch 生成器的掩码无法被记录</translation>
    </message>
    <message>
        <source>Resume it on a device that does, or continue from it in another precision with a fork (train.continue_from).</source>
        <translation>请在支持它的设备上继续运行，或以另一精度从它分叉继续（train.continue_from）。</translation>
    </message>
    <message>
        <source>this LibTorch has no %1</source>
        <translation>此 LibTorch 没有 %1</translation>
    </message>
    <message>
        <source>an earlier graph could not be ended</source>
        <translation>先前的计算图未能结束</translation>
    </message>
    <message>
        <source>LibTorch cannot end the record</source>
        <translation>LibTorch 无法结束记录</translation>
    </message>
    <message>
        <source>this device has none</source>
        <translation>此设备没有</translation>
    </message>
    <message>
        <source>steps are not recorded as a graph: %1</source>
        <translation>训练步未被记录为计算图：%1</translation>
    </message>
    <message>
        <source>, CASP_GPU_KERNELS</source>
        <translation>, CASP_GPU_KERNELS</translation>
    </message>
    <message>
        <source>an integer%1, or &quot;auto&quot;</source>
        <translation>整数%1，或 &quot;auto&quot;</translation>
    </message>
    <message>
        <source>other processes use %1 of %2 on %3</source>
        <translation>其他进程占用 %3 上 %2 中的 %1</translation>
    </message>
    <message>
        <source>a training step needs about %1, and %2 are free, where other processes use %3 of %4</source>
        <translation>一个训练步约需 %1，而空闲 %2，其他进程占用 %4 中的 %3</translation>
    </message>
    <message>
        <source>a training step needs about %1, and %2 are free on %3, where other processes use %4 of %5</source>
        <translation>一个训练步约需 %1，而 %3 上空闲 %2，其他进程在那里占用 %5 中的 %4</translation>
    </message>
    <message>
        <source>cuBLASLt has no algorithm for this shape</source>
        <translation>cuBLASLt 没有适合此形状的算法</translation>
    </message>
    <message>
        <source>positions of other tokens</source>
        <translation>位置属于其他 token</translation>
    </message>
    <message>
        <source>a prefix of other rows</source>
        <translation>前缀属于其他行</translation>
    </message>
    <message>
        <source>it needs LibTorch 2.11</source>
        <translation>需要 LibTorch 2.11</translation>
    </message>
    <message>
        <source>Number of runs that a --batch process trains at the same time, sharing data and frozen weights. On a CPU they take turns; with run.threads, as many compute at once as there are processors for. 0 or auto: on a CPU, as many as compute at once; on a GPU up to eight, as far as memory allows</source>
        <translation>一个 --batch 进程同时训练的运行数，它们共享数据和冻结的权重。在 CPU 上轮流计算；设置 run.threads 时，处理器够用多少就同时计算多少。0 或 auto：在 CPU 上为可同时计算的数目；在 GPU 上最多八个，视内存而定</translation>
    </message>
    <message>
        <source>packing</source>
        <translation>正在打包</translation>
    </message>
    <message>
        <source>A perplexity of %1</source>
        <translation>困惑度 %1</translation>
    </message>
    <message>
        <source>requires more than %1</source>
        <translation>需要多于 %1</translation>
    </message>
    <message>
        <source>points, and there are %1</source>
        <translation>个点，而现有 %1</translation>
    </message>
    <message>
        <source>: it was reduced to %1.</source>
        <translation>：已减小到 %1。</translation>
    </message>
    <message>
        <source>points have the same values as another one.</source>
        <translation>个点与另一个点的值相同。</translation>
    </message>
    <message>
        <source>%1 of %2 test windows is missing: %3, the remainder of %4 by %5 (a dropped last batch)</source>
        <translation>%2 个测试窗口中缺少 %1 个：%3，即 %4 除以 %5 的余数（丢弃了最后一个批次）</translation>
    </message>
    <message>
        <source>%1 of %2 test windows are missing: %3, the remainder of %4 by %5 (a dropped last batch)</source>
        <translation>%2 个测试窗口中缺少 %1 个：%3，即 %4 除以 %5 的余数（丢弃了最后一个批次）</translation>
    </message>
    <message>
        <source>%1, and its workers would take over other settings or runs</source>
        <translation>%1，其工作进程会采用其他设置或运行</translation>
    </message>
    <message>
        <source>sbatch did not accept it: %1</source>
        <translation>sbatch 未接受：%1</translation>
    </message>
    <message>
        <source>Change the settings ([scheduler] in the experiment&apos;s file), or the script itself.</source>
        <translation>请更改设置（实验文件中的 [scheduler]）或脚本本身。</translation>
    </message>
    <message>
        <source>%1 pending%2</source>
        <translation>%1 个等待%2</translation>
    </message>
    <message>
        <source>Slurm job %1: %2, %3</source>
        <translation>Slurm 作业 %1：%2，%3</translation>
    </message>
    <message>
        <source>an odd integer%1, or &quot;auto&quot;</source>
        <translation>奇数整数%1，或“auto”</translation>
    </message>
    <message>
        <source>the cases %1 and %2 have equal settings in %3 each: these are trained twice</source>
        <translation>情形 %1 和 %2 各有 %3 的设置相同：它们会被训练两次</translation>
    </message>
    <message>
        <source>%1, column %2</source>
        <translation>%1，第 %2 列</translation>
    </message>
    <message>
        <source>caspstudio-serve 2</source>
        <translation>caspstudio-serve 2</translation>
    </message>
    <message>
        <source>cannot be written: unknown reason</source>
        <translation>无法写入：原因未知</translation>
    </message>
    <message>
        <source>__metadata__ &quot;%1&quot; is a list or an object</source>
        <translation>__metadata__ “%1”是列表或对象</translation>
    </message>
    <message>
        <source>no display</source>
        <translation>没有显示器</translation>
    </message>
    <message>
        <source>no display (%1)</source>
        <translation>没有显示器（%1）</translation>
    </message>
    <message>
        <source>%1 was finished early, with fewer training steps than the settings say: excluded from means in sensitivity, treated as usual in other figures</source>
        <translation>%1 提前结束，训练步数少于设置：在 sensitivity 中不计入均值，在其他图中照常处理</translation>
    </message>
    <message>
        <source>%1 and %2 other were finished early, with fewer training steps than the settings say: excluded from means in sensitivity, treated as usual in other figures</source>
        <translation>%1 和另外 %2 次运行提前结束，训练步数少于设置：在 sensitivity 中不计入均值，在其他图中照常处理</translation>
    </message>
    <message>
        <source>%1 and %2 others were finished early, with fewer training steps than the settings say: excluded from means in sensitivity, treated as usual in other figures</source>
        <translation>%1 和另外 %2 次运行提前结束，训练步数少于设置：在 sensitivity 中不计入均值，在其他图中照常处理</translation>
    </message>
    <message>
        <source>%1 --out %2 --worker</source>
        <translation>%1 --out %2 --worker</translation>
    </message>
    <message>
        <source>the path has a quotation mark, a backslash or a line break</source>
        <translation>路径含引号、反斜杠或换行符</translation>
    </message>
    <message>
        <source>a path that sbatch can read</source>
        <translation>sbatch 可读取的路径</translation>
    </message>
    <message>
        <source>Choose another --out folder.</source>
        <translation>请选择另一个 --out 文件夹。</translation>
    </message>
    <message>
        <source>%1, by its content</source>
        <translation>按其内容为 %1</translation>
    </message>
    <message>
        <source>Weight λ_sim of the similarity loss</source>
        <translation>相似度损失的权重 λ_sim</translation>
    </message>
    <message>
        <source>Weight λ_cov of the coverage loss</source>
        <translation>覆盖损失的权重 λ_cov</translation>
    </message>
    <message>
        <source>Seed for initialisation, window order and dropout</source>
        <translation>用于初始化、窗口顺序和随机失活的随机种子</translation>
    </message>
    <message>
        <source>Completed epochs</source>
        <translation>已完成的轮次</translation>
    </message>
    <message>
        <source>Epoch with the lowest validation MSE, counted from 1</source>
        <translation>验证 MSE 最低的轮次，从 1 计起</translation>
    </message>
    <message>
        <source>Training steps</source>
        <translation>训练步数</translation>
    </message>
    <message>
        <source>Completed training steps</source>
        <translation>已完成的训练步数</translation>
    </message>
    <message>
        <source>Val. MSE</source>
        <translation>验证 MSE</translation>
    </message>
    <message>
        <source>Mean squared error on the validation split at the best epoch, scaled units (collections of series: original units)</source>
        <translation>最佳轮次在验证集上的均方误差，标准化单位（序列集合：原始单位）</translation>
    </message>
    <message>
        <source>Mean squared error on the test split, scaled units (collections of series: original units)</source>
        <translation>测试集上的均方误差，标准化单位（序列集合：原始单位）</translation>
    </message>
    <message>
        <source>Mean absolute error on the test split, scaled units (collections of series: original units)</source>
        <translation>测试集上的平均绝对误差，标准化单位（序列集合：原始单位）</translation>
    </message>
    <message>
        <source>Test MSE of the persistence forecast, which repeats the last value of the look-back; any model should beat it</source>
        <translation>持续性预测的测试 MSE，即重复回看窗口的最后一个值；任何模型都应优于它</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>Entropy of anchor usage over the test windows, in nats</source>
        <translation>测试窗口上锚点使用的熵，单位 nat</translation>
    </message>
    <message>
        <source>Distinct anchors used over the test windows</source>
        <translation>测试窗口上使用的不同锚点数</translation>
    </message>
    <message>
        <source>Mean pairwise cosine of the K anchors retrieved for a window; 1: the anchors are redundant</source>
        <translation>一个窗口所检索的 K 个锚点的平均两两余弦；1：锚点冗余</translation>
    </message>
    <message>
        <source>Wall time of training and evaluation</source>
        <translation>训练和评估的实际用时</translation>
    </message>
    <message>
        <source>Origin of the frozen GPT-2 weights; results of an untrained backbone prove nothing about the method</source>
        <translation>冻结的 GPT-2 权重的来源；未训练骨干网络的结果不能证明方法的任何性质</translation>
    </message>
    <message>
        <source>Largest memory seen between two steps or evaluations: of the process, or what the run holds of the GPU</source>
        <translation>两个训练步或两次评估之间观测到的最大内存：进程的内存，或该运行在 GPU 上占用的内存</translation>
    </message>
    <message>
        <source>Mean sMAPE over the series of a collection, in per cent</source>
        <translation>集合中各序列的平均 sMAPE，以百分比计</translation>
    </message>
    <message>
        <source>Mean MASE over the series of a collection</source>
        <translation>集合中各序列的平均 MASE</translation>
    </message>
    <message>
        <source>Overall weighted average of sMAPE and MASE relative to Naive2; below 1: better than Naive2</source>
        <translation>相对于 Naive2 的 sMAPE 与 MASE 的总体加权平均；小于 1：优于 Naive2</translation>
    </message>
    <message>
        <source>Precision of matrix products: fp32, tf32 or bf16</source>
        <translation>矩阵乘积的精度：fp32、tf32 或 bf16</translation>
    </message>
    <message>
        <source>Device that trained the run: cpu, cuda:0, …</source>
        <translation>训练该运行的设备：cpu、cuda:0、…</translation>
    </message>
    <message>
        <source>the experiment</source>
        <translation>该实验</translation>
    </message>
    <message>
        <source>usage entropy over the test windows (nats)</source>
        <translation>测试窗口上的使用熵（nat）</translation>
    </message>
    <message>
        <source>number of distinct anchors retrieved over the test windows</source>
        <translation>测试窗口上检索到的不同锚点数</translation>
    </message>
    <message>
        <source>mean pairwise cosine of the retrieved keys</source>
        <translation>所检索键的平均两两余弦</translation>
    </message>
    <message>
        <source>training and evaluation time (s)</source>
        <translation>训练和评估用时（秒）</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Tokens are shown by number: there is no vocab.json in the cache. Get GPT-2&apos;s with caspstudio --fetch gpt2-words, or choose the file.</source>
        <translation>词元以编号显示：缓存中没有 vocab.json。请用 caspstudio --fetch gpt2-words 获取 GPT-2 的词表，或选择该文件。</translation>
    </message>
    <message>
        <source>Tokens are shown by number: there is no vocab.json beside %1 or in the cache. Get GPT-2&apos;s with caspstudio --fetch gpt2-words, or choose the file.</source>
        <translation>词元以编号显示：%1 旁和缓存中都没有 vocab.json。请用 caspstudio --fetch gpt2-words 获取 GPT-2 的词表，或选择该文件。</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>the first in %1, window %2, step %3, channel %4</source>
        <translation>第一个在 %1 的窗口 %2、步 %3、通道 %4</translation>
    </message>
    <message>
        <source>%1 window has values that occur at several rows of the data set. The row after the previous window is preferred, then the expected one.</source>
        <translation>%1 个窗口的值在数据集的多行出现。优先采用前一个窗口之后的行，其次采用预期的行。</translation>
    </message>
    <message>
        <source>%1 windows have values that occur at several rows of the data set. The row after the previous window is preferred, then the expected one.</source>
        <translation>%1 个窗口的值在数据集的多行出现。优先采用前一个窗口之后的行，其次采用预期的行。</translation>
    </message>
    <message>
        <source>Add --set train.seed=N for another seed. %1</source>
        <translation>若是另一个随机种子，请添加 --set train.seed=N。%1</translation>
    </message>
    <message>
        <source>%1 run</source>
        <translation>%1 个运行</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 个运行</translation>
    </message>
    <message>
        <source>Is this the right file? Check the path.</source>
        <translation>是这个文件吗？请检查路径。</translation>
    </message>
    <message>
        <source>Read with &apos;%1&apos; between the cells and &apos;%2&apos; as decimal separator. If these are wrong, set data.csv.delimiter and data.csv.decimal.</source>
        <translation>读取时以 &apos;%1&apos; 分隔单元格，以 &apos;%2&apos; 为小数分隔符。如果不对，请设置 data.csv.delimiter 和 data.csv.decimal。</translation>
    </message>
    <message>
        <source>Is this a text table with one record per line? If not, save it as one, or give another file.</source>
        <translation>这是每行一条记录的文本表格吗？如果不是，请保存为这种表格，或指定其他文件。</translation>
    </message>
    <message>
        <source>%1: set</source>
        <translation>%1：已设置</translation>
    </message>
    <message>
        <source>If the page of a link was saved instead of the file, download the file. If it shows the table, convert it with Python: %1</source>
        <translation>若保存的是链接的网页而不是文件，请下载文件。若其中显示表格，请用 Python 转换：%1</translation>
    </message>
    <message>
        <source>It seems to hold weights of a model. Convert them with Python: %1</source>
        <translation>其中似乎含有模型的权重。请用 Python 转换：%1</translation>
    </message>
    <message>
        <source>Unpack it first. %1</source>
        <translation>请先解包。%1</translation>
    </message>
    <message>
        <source>If the clocks were changed there, set data.csv.time_zone, e.g. to Europe/Berlin. %1</source>
        <translation>若当地曾调整时钟（夏令时），请设置 data.csv.time_zone，例如 Europe/Berlin。%1</translation>
    </message>
    <message>
        <source>Rename %1 to unique_id, %2 to ds and the column of the values to y; known are %3. If the rows are one series, set data.csv.time_column = &quot;none&quot;.</source>
        <translation>请将 %1 改名为 unique_id，将 %2 改名为 ds，并将值的列改名为 y；可识别的名称为 %3。如果各行属于同一序列，请设置 data.csv.time_column = &quot;none&quot;。</translation>
    </message>
    <message>
        <source>The files seem to be of different frequencies. Replace one of them.</source>
        <translation>这两个文件的频率似乎不同。请替换其中之一。</translation>
    </message>
    <message>
        <source>%1 has %2</source>
        <translation>%1有%2</translation>
    </message>
    <message>
        <source>a horizon of %1 needs series of %2, and %3 has %4: a horizon of %5 is shown. Set data.horizon</source>
        <translation>预测步长 %1 需要有 %2的序列，而 %3 有 %4：显示的预测步长为 %5。请设置 data.horizon</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>The file would need at least %1 rows; it has %2. %3</source>
        <translation>文件至少需要 %1 行；现有 %2 行。%3</translation>
    </message>
    <message>
        <source>the times are local times with daylight saving: they skip an hour at %1 and repeat one at %2. With their zone in data.csv.time_zone, e.g. &quot;Europe/Berlin&quot;, the rows are equally far apart</source>
        <translation>时间是有夏令时的当地时间：在 %1 跳过一小时，在 %2 重复一小时。若在 data.csv.time_zone 中指定其时区，例如 &quot;Europe/Berlin&quot;，则各行间隔相等</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; is constant in the %2 training rows and varies later; its scale is set to 1: its errors outweigh those of all other channels. Leave it out with data.columns, or choose another split</source>
        <translation>列 &quot;%1&quot; 在 %2 个训练行中为常量，之后才变化；其缩放设为 1：其误差超过所有其他通道的误差。请用 data.columns 省略该列，或选择其他划分</translation>
    </message>
    <message>
        <source>column &quot;%1&quot; varies far less in the %2 training rows than later, by up to %3 of their deviations: its errors outweigh those of all other channels. Leave it out with data.columns, or choose another split</source>
        <translation>列 &quot;%1&quot; 在 %2 个训练行中的变化远小于之后的变化，之后最多偏离其标准差的 %3 倍：其误差超过所有其他通道的误差。请用 data.columns 省略该列，或选择其他划分</translation>
    </message>
    <message>
        <source>%1 has no effect: the times are without dates</source>
        <translation>%1 不起作用：时间不含日期</translation>
    </message>
    <message>
        <source>Leave %1 empty.</source>
        <translation>请将 %1 留空。</translation>
    </message>
    <message>
        <source>%1 time does not exist in %2, where the clocks are put forward then; the first here is read as %3. If the file has no daylight saving, leave %4 empty</source>
        <translation>%1 个时间在 %2 中不存在，因为当时时钟拨快；此处首个读作 %3。如果文件没有夏令时，请将 %4 留空</translation>
    </message>
    <message>
        <source>%1 times do not exist in %2, where the clocks are put forward then; the first here is read as %3. If the file has no daylight saving, leave %4 empty</source>
        <translation>%1 个时间在 %2 中不存在，因为当时时钟拨快；此处首个读作 %3。如果文件没有夏令时，请将 %4 留空</translation>
    </message>
    <message>
        <source>%1 Fewer than %2 pairs (of &quot;all&quot;: tasks): the interval is usually too narrow, and p &lt; %3 is impossible.</source>
        <translation>%1 少于 %2 对（&quot;all&quot; 为任务）：区间通常过窄，且不可能有 p &lt; %3。</translation>
    </message>
    <message>
        <source>%1 run %2</source>
        <translation>%1 个运行%2</translation>
    </message>
    <message>
        <source>%1 missing. Command%2: caspstudio --batch paper:%3</source>
        <translation>缺少 %1。命令%2：caspstudio --batch paper:%3</translation>
    </message>
    <message>
        <source>, %1 run %2</source>
        <translation>，%1 个运行%2</translation>
    </message>
    <message>
        <source>%1: run.json is missing. Start the run again with the same settings: a finished run gets a new run.json from its run.h5.</source>
        <translation>%1：缺少 run.json。请用相同的设置重新启动该运行：已完成的运行会由其 run.h5 得到新的 run.json。</translation>
    </message>
    <message>
        <source>The download was removed. The file at that address has changed, or was altered on the way.</source>
        <translation>下载的文件已删除。该地址的文件已更改，或在传输途中被改动。</translation>
    </message>
    <message>
        <source>The file at that address may have changed. To use another checkpoint, set backbone.path to its path.</source>
        <translation>该地址的文件可能已更改。要使用其他检查点，请将 backbone.path 设为其路径。</translation>
    </message>
    <message>
        <source>Set train.batch_size to %1 or less (--set train.batch_size=%2), the number of windows computed at once; it was %3. Results differ at most by rounding.</source>
        <translation>请将 train.batch_size（同时计算的窗口数）设为 %1 或更小（--set train.batch_size=%2）；此前为 %3。结果最多相差舍入误差。</translation>
    </message>
    <message>
        <source>Even one window does not fit. %1, or use a machine with more memory.</source>
        <translation>一个窗口也容纳不下。请%1，或使用内存更大的计算机。</translation>
    </message>
    <message>
        <source>Data and model alone do not fit. %1, or use a machine with more memory.</source>
        <translation>仅数据和模型就已容纳不下。请%1，或使用内存更大的计算机。</translation>
    </message>
    <message>
        <source>These embeddings can be computed again at any time. Store those of another split, or export the numbers from a view.</source>
        <translation>这些嵌入可随时重新计算。请存储其他划分的嵌入，或从视图导出数值。</translation>
    </message>
    <message>
        <source>ssh could not log in without a password (%1)</source>
        <translation>ssh 无法免密码登录（%1）</translation>
    </message>
    <message>
        <source>ssh does not know this machine&apos;s key, or it has changed</source>
        <translation>ssh 不认识这台机器的密钥，或密钥已改变</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 为 %2</translation>
    </message>
    <message>
        <source>Check the free space and your permissions there. The merged folder was not made.</source>
        <translation>请检查那里的可用空间和您的权限。未创建合并后的文件夹。</translation>
    </message>
    <message>
        <source>Resume it with the settings it was started with, or start a new run under another name. It has no checkpoint yet, so little is lost by removing its folder.</source>
        <translation>请以启动时的设置继续它，或以其他名称启动新运行。它还没有检查点，因此删除其文件夹几乎没有损失。</translation>
    </message>
    <message>
        <source>Nothing was removed. Restore last/ from where the run was trained and resume it</source>
        <translation>未删除任何内容。请从训练该运行的位置恢复 last/ 并继续该运行</translation>
    </message>
    <message>
        <source>Set train.batch_size to %1 or less; about %2 MiB are needed per window and channel. Or set run.together to fewer runs.</source>
        <translation>请将 train.batch_size 设为 %1 或更小；每个窗口和通道约需 %2 MiB。或在 run.together 中设置较少的运行。</translation>
    </message>
    <message>
        <source>the training rows: data.split = &quot;auto&quot; gives other rows for this file. Set data.split to the three numbers of rows, or the rule, the run was started with</source>
        <translation>训练行：data.split = &quot;auto&quot; 对此文件给出不同的行。请将 data.split 设为该运行启动时的三个行数或规则</translation>
    </message>
    <message>
        <source>Mean ± sample standard deviation over n runs that differ in the seed. Best: lowest mean val_mse (collections of series: val_smape) among the rows with the same data and horizon.</source>
        <translation>仅种子不同的 n 个运行的平均值 ± 样本标准差。最佳：数据和预测长度相同的各行中平均 val_mse（序列集合：val_smape）最低者。</translation>
    </message>
    <message>
        <source>The file is damaged. Remove it and start the run again with the same settings: a finished run gets a new run.json from its run.h5, an unfinished one is resumed (--resume).</source>
        <translation>文件已损坏。请删除它，并以相同的设置重新启动该运行：已完成的运行会由其 run.h5 得到新的 run.json，未完成的运行会继续（--resume）。</translation>
    </message>
    <message>
        <source>Nothing is lost: the other process continues from the last checkpoint. If this machine was suspended or the network was slow, set run.lease_seconds higher.</source>
        <translation>没有丢失任何内容：另一个进程会从最后的检查点继续。如果本机曾挂起或网络较慢，请增大 run.lease_seconds。</translation>
    </message>
    <message>
        <source>It has &quot;%1&quot;. %2</source>
        <translation>它有 &quot;%1&quot;。%2</translation>
    </message>
    <message>
        <source>The snapshot is damaged: remove this file. Other snapshots can still be shown.</source>
        <translation>快照已损坏：请删除此文件。其他快照仍可显示。</translation>
    </message>
    <message>
        <source>The last checkpoint was taken before and is intact. Try a smaller train.learning_rate.</source>
        <translation>最后的检查点在此之前保存，完好无损。请尝试较小的 train.learning_rate。</translation>
    </message>
    <message>
        <source>Use run.device = &quot;cpu&quot;. On a machine with an NVIDIA GPU, caspstudio --fetch cuda downloads the CUDA libraries.</source>
        <translation>请使用 run.device = &quot;cpu&quot;。在有 NVIDIA GPU 的机器上，可用 caspstudio --fetch cuda 下载 CUDA 库。</translation>
    </message>
    <message>
        <source>CUDA error: %1. GPUs cannot be used in this process any more: restart the program</source>
        <translation>CUDA 错误：%1。此进程不能再使用 GPU：请重新启动程序</translation>
    </message>
    <message>
        <source>Nothing was copied. Check that its disk is connected.</source>
        <translation>未复制任何内容。请检查其磁盘是否已连接。</translation>
    </message>
    <message>
        <source>Nothing was copied. Wait until the file is complete, and try again.</source>
        <translation>未复制任何内容。请等文件写完后重试。</translation>
    </message>
    <message>
        <source>the tables of the experiment could not be written: %1</source>
        <translation>无法写入实验的表格：%1</translation>
    </message>
    <message>
        <source>%1 is not given</source>
        <translation>未给出 %1</translation>
    </message>
    <message>
        <source>products with GELU are not used, LibTorch&apos;s operators instead: %1</source>
        <translation>未使用带 GELU 的乘积，改用 LibTorch 的运算：%1</translation>
    </message>
    <message>
        <source>the kernel %1 is not used, LibTorch&apos;s operators instead: %2</source>
        <translation>未使用内核 %1，改用 LibTorch 的算子：%2</translation>
    </message>
    <message>
        <source>strata of %1: no change of %2 against %3, %4</source>
        <translation>%1 的分层：%2 相对于 %3 没有变化量，%4</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>n: number of runs. Means over different numbers of runs are over different seeds: paired tests compare equal seeds.</source>
        <translation>n：运行数。不同运行数的均值取自不同的随机种子：配对检验比较相同的随机种子。</translation>
    </message>
    <message>
        <source>n: number of runs; n = 1 is the value of a single run, not a mean. Means over different numbers of runs are over different seeds: paired tests compare equal seeds.</source>
        <translation>n：运行数；n = 1 是单个运行的值，不是均值。不同运行数的均值取自不同的随机种子：配对检验比较相同的随机种子。</translation>
    </message>
    <message>
        <source>Mean ± sample standard deviation over seeds, with the rank in the task; mean rank over the %1 of %2 tasks in which every model has a finished run. Seconds: mean wall time of a run in these tasks. Memory: largest of the same runs. Comparable for runs on the same computer only.</source>
        <translation>各随机种子的均值 ± 样本标准差，附任务内的排名；平均排名取自 %2 个任务中每个模型都有已完成运行的 %1 个。秒数：这些任务中一个运行的平均实际用时。内存：同样这些运行中的最大值。只有同一台计算机上的运行才可比。</translation>
    </message>
    <message>
        <source>Mean ± sample standard deviation over seeds, with the rank in the task; mean rank over the %1 of %2 tasks in which every model has a finished run. Seconds: mean wall time of a run (without such a task, of all runs). Memory: largest of the same runs. Comparable for runs on the same computer only.</source>
        <translation>各随机种子的均值 ± 样本标准差，附任务内的排名；平均排名取自 %2 个任务中每个模型都有已完成运行的 %1 个。秒数：一个运行的平均实际用时（没有这样的任务时，取所有运行）。内存：同样这些运行中的最大值。只有同一台计算机上的运行才可比。</translation>
    </message>
    <message>
        <source>Its device does not answer any more (%1): other runs are not started on it until the program is started again.</source>
        <translation>其设备不再响应（%1）：在重新启动程序之前，不会在该设备上启动其他运行。</translation>
    </message>
    <message>
        <source>a NumPy array of float16, float32 or float64</source>
        <translation>float16、float32 或 float64 的 NumPy 数组</translation>
    </message>
    <message>
        <source>Save it again with numpy.save or numpy.savez.</source>
        <translation>请用 numpy.save 或 numpy.savez 重新保存。</translation>
    </message>
    <message>
        <source>arrays of float16, float32 or float64</source>
        <translation>float16、float32 或 float64 的数组</translation>
    </message>
    <message>
        <source>the archive cannot be read</source>
        <translation>无法读取归档</translation>
    </message>
    <message>
        <source>an .npz file as numpy.savez writes it</source>
        <translation>numpy.savez 写出的 .npz 文件</translation>
    </message>
    <message>
        <source>smaller arrays</source>
        <translation>较小的数组</translation>
    </message>
    <message>
        <source>Backbone of the runs: %1, not the paper&apos;s GPT-2.</source>
        <translation>运行的骨干网络：%1，不是论文中的 GPT-2。</translation>
    </message>
    <message>
        <source>Backbones of the runs: %1, not the paper&apos;s GPT-2.</source>
        <translation>运行的骨干网络：%1，不是论文中的 GPT-2。</translation>
    </message>
    <message>
        <source>Backbone of the runs: %1. Random weights are not a language model; these numbers do not apply to GPT-2.</source>
        <translation>运行的骨干网络：%1。随机权重不是语言模型；这些数值不适用于 GPT-2。</translation>
    </message>
    <message>
        <source>Backbones of the runs: %1. Random weights are not a language model; their numbers do not apply to GPT-2.</source>
        <translation>运行的骨干网络：%1。随机权重不是语言模型；其数值不适用于 GPT-2。</translation>
    </message>
    <message>
        <source>Precision of the runs: %1.</source>
        <translation>运行的精度：%1。</translation>
    </message>
    <message>
        <source>The runs have different precisions (%1), which alone change the numbers slightly.</source>
        <translation>这些运行的精度不同（%1），仅此就会使数值略有变化。</translation>
    </message>
    <message>
        <source>%1 pickled Python objects, which are not read: unpickling can run code</source>
        <translation>%1 pickle 序列化的 Python 对象，不予读取：反序列化可能运行代码</translation>
    </message>
    <message>
        <source>If you trust the file, this line of Python converts it: import numpy; %1</source>
        <translation>如果您信任此文件，以下这行 Python 可转换它：import numpy; %1</translation>
    </message>
    <message>
        <source>%1 has more than 4 GiB</source>
        <translation>%1 大于 4 GiB</translation>
    </message>
    <message>
        <source>it holds</source>
        <translation>包含</translation>
    </message>
    <message>
        <source>it has</source>
        <translation>具有</translation>
    </message>
    <message>
        <source>its header is cut off</source>
        <translation>其文件头被截断</translation>
    </message>
    <message>
        <source>its size does not match its shape</source>
        <translation>其大小与形状不符</translation>
    </message>
    <message>
        <source>an .npz file</source>
        <translation>.npz 文件</translation>
    </message>
    <message>
        <source>%1 year</source>
        <translation>%1 年</translation>
    </message>
    <message>
        <source>%1 years</source>
        <translation>%1 年</translation>
    </message>
    <message>
        <source>%1 month</source>
        <translation>%1 个月</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1 week</source>
        <translation>%1 周</translation>
    </message>
    <message>
        <source>%1 weeks</source>
        <translation>%1 周</translation>
    </message>
    <message>
        <source>%1 day</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>%1 hour</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 hours</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 minute</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 minutes</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 second</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 seconds</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>comma</source>
        <translation>逗号</translation>
    </message>
    <message>
        <source>semicolon</source>
        <translation>分号</translation>
    </message>
    <message>
        <source>tab</source>
        <translation>制表符</translation>
    </message>
    <message>
        <source>bar</source>
        <translation>竖线</translation>
    </message>
    <message>
        <source>blanks</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>point</source>
        <translation>点</translation>
    </message>
    <message>
        <source>apostrophe</source>
        <translation>撇号</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>U+001F</source>
        <translation>U+001F</translation>
    </message>
    <message>
        <source>it is empty: %1</source>
        <translation>为空：%1</translation>
    </message>
    <message>
        <source>at least one window, step and channel</source>
        <translation>至少一个窗口、预测步和通道</translation>
    </message>
    <message>
        <source>contains a slash</source>
        <translation>含有斜杠</translation>
    </message>
    <message>
        <source>contains a NUL character</source>
        <translation>含有 NUL 字符</translation>
    </message>
    <message>
        <source>has %1 twice</source>
        <translation>含有两个 %1</translation>
    </message>
    <message>
        <source>Several values are a sweep: --set sweep.%1=[...].</source>
        <translation>多个值即为扫描：--set sweep.%1=[...]。</translation>
    </message>
    <message>
        <source>an argument is not UTF-8 text</source>
        <translation>有一个参数不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>cases cannot be given here</source>
        <translation>此处不能给出情形</translation>
    </message>
    <message>
        <source>Write [[sweep.case]] in the experiment file.</source>
        <translation>请在实验文件中写 [[sweep.case]]。</translation>
    </message>
    <message>
        <source>the name &quot;%1&quot; holds a replacement character: an earlier conversion of the file lost a letter; the numbers are not affected</source>
        <translation>名称 &quot;%1&quot; 含有替换字符：文件在先前的转换中丢失了一个字母；数字不受影响</translation>
    </message>
    <message>
        <source>%1 broken UTF-16 characters were replaced by U+FFFD</source>
        <translation>%1 个损坏的 UTF-16 字符已替换为 U+FFFD</translation>
    </message>
    <message>
        <source>%1 broken %2 characters were replaced by U+FFFD</source>
        <translation>%1 个损坏的 %2 字符已替换为 U+FFFD</translation>
    </message>
    <message>
        <source>this is not a .npy file</source>
        <translation>这不是 .npy 文件</translation>
    </message>
    <message>
        <source>its values are records of several fields</source>
        <translation>其值为含多个字段的记录</translation>
    </message>
    <message>
        <source>its header cannot be read</source>
        <translation>无法读取其文件头</translation>
    </message>
    <message>
        <source>its values are of type %1</source>
        <translation>其值的类型为 %1</translation>
    </message>
    <message>
        <source>Save them as numbers of such a type: array.astype(&quot;float64&quot;).</source>
        <translation>请将其保存为此类型的数值：array.astype(&quot;float64&quot;)。</translation>
    </message>
    <message>
        <source>a frequency of this folder: %1</source>
        <translation>此文件夹中的一种频率：%1</translation>
    </message>
    <message>
        <source>Set data.frequency to it, or add the file.</source>
        <translation>请将 data.frequency 设为该频率，或添加该文件。</translation>
    </message>
    <message>
        <source>the text is in UTF-16</source>
        <translation>文本为 UTF-16 编码</translation>
    </message>
    <message>
        <source>Save it in UTF-8.</source>
        <translation>请以 UTF-8 编码保存。</translation>
    </message>
    <message>
        <source>%1 before @data</source>
        <translation>%1 位于 @data 之前</translation>
    </message>
    <message>
        <source>a header of lines that begin with @</source>
        <translation>由以 @ 开头的行组成的文件头</translation>
    </message>
    <message>
        <source>its test forecasts are not stored (run.store_forecasts)</source>
        <translation>其测试预测未存储（run.store_forecasts）</translation>
    </message>
    <message>
        <source>tables with runs of other batches, or with runs without run.json: the sweep of the batch is not known</source>
        <translation>表格含有其他批次的运行，或没有 run.json 的运行：该批次的扫描未知</translation>
    </message>
    <message>
        <source>this address cannot be fetched</source>
        <translation>无法获取此地址</translation>
    </message>
    <message>
        <source>http:// or https://</source>
        <translation>http:// 或 https://</translation>
    </message>
    <message>
        <source>no digest of %1 is known: its content was not checked</source>
        <translation>没有 %1 的已知校验和：未检查其内容</translation>
    </message>
    <message>
        <source>%1 has %2, which %3 leaves out</source>
        <translation>%1 含有 %2，而 %3 省略了它</translation>
    </message>
    <message>
        <source>targets among data.columns</source>
        <translation>data.columns 中的目标</translation>
    </message>
    <message>
        <source>unknown setting after &quot;?&quot;</source>
        <translation>&quot;?&quot; 之后的未知设置</translation>
    </message>
    <message>
        <source>&quot;files&quot; has a bad entry &quot;%1&quot;</source>
        <translation>&quot;files&quot; 中有错误的条目 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>name and SHA-256</source>
        <translation>名称和 SHA-256</translation>
    </message>
    <message>
        <source>the file of &quot;%1&quot; is %2</source>
        <translation>&quot;%1&quot; 的文件为 %2</translation>
    </message>
    <message>
        <source>the name of a .safetensors file in the same folder</source>
        <translation>同一文件夹中 .safetensors 文件的名称</translation>
    </message>
    <message>
        <source>Write the weights again with save_pretrained(…, safe_serialization=True).</source>
        <translation>请用 save_pretrained(…, safe_serialization=True) 重新写入权重。</translation>
    </message>
    <message>
        <source>It has &quot;%1&quot;: write the file again without the prefix &quot;%2&quot; in its names.</source>
        <translation>它含有 &quot;%1&quot;：请重新写入文件，名称中不带前缀 &quot;%2&quot;。</translation>
    </message>
    <message>
        <source>auto, cpu, cuda or cuda:N</source>
        <translation>auto、cpu、cuda 或 cuda:N</translation>
    </message>
    <message>
        <source>it contains a zero byte</source>
        <translation>它包含零字节</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未启动</translation>
    </message>
    <message>
        <source>Set data.horizon to the number of steps, or save numpy.transpose(array, …).</source>
        <translation>请将 data.horizon 设为步数，或保存 numpy.transpose(array, …)。</translation>
    </message>
    <message>
        <source>import numpy, pickle, safetensors.numpy as s; s.save_file({k: numpy.array(v, order=&quot;C&quot;) for k, v in pickle.load(open({in}, &quot;rb&quot;)).items()}, {out})</source>
        <translation>import numpy, pickle, safetensors.numpy as s; s.save_file({k: numpy.array(v, order=&quot;C&quot;) for k, v in pickle.load(open({in}, &quot;rb&quot;)).items()}, {out})</translation>
    </message>
    <message>
        <source>import numpy, pandas; [pandas.DataFrame(a.reshape(len(a), -1)).add_prefix(&quot;x&quot;).to_csv(k + &quot;.csv&quot;, index=False) for k, a in numpy.load({in}).items() if a.ndim]</source>
        <translation>import numpy, pandas; [pandas.DataFrame(a.reshape(len(a), -1)).add_prefix(&quot;x&quot;).to_csv(k + &quot;.csv&quot;, index=False) for k, a in numpy.load({in}).items() if a.ndim]</translation>
    </message>
    <message>
        <source>import numpy, safetensors.numpy as s; s.save_file({k: numpy.array(v, order=&quot;C&quot;) for k, v in numpy.load({in}).items()}, {out})</source>
        <translation>import numpy, safetensors.numpy as s; s.save_file({k: numpy.array(v, order=&quot;C&quot;) for k, v in numpy.load({in}).items()}, {out})</translation>
    </message>
    <message>
        <source>import numpy, pandas; a = numpy.load({in}); pandas.DataFrame(a.reshape(len(a), -1)).add_prefix(&quot;x&quot;).to_csv({out}, index=False)</source>
        <translation>import numpy, pandas; a = numpy.load({in}); pandas.DataFrame(a.reshape(len(a), -1)).add_prefix(&quot;x&quot;).to_csv({out}, index=False)</translation>
    </message>
    <message>
        <source>is an integer</source>
        <translation>是整数</translation>
    </message>
    <message>
        <source>is a float</source>
        <translation>是浮点数</translation>
    </message>
    <message>
        <source>is a boolean</source>
        <translation>是布尔值</translation>
    </message>
    <message>
        <source>is a string</source>
        <translation>是字符串</translation>
    </message>
    <message>
        <source>is a list of numbers</source>
        <translation>是数字列表</translation>
    </message>
    <message>
        <source>is a list of strings</source>
        <translation>是字符串列表</translation>
    </message>
    <message>
        <source>is a split</source>
        <translation>是划分</translation>
    </message>
    <message>
        <source>%1 against %2 (%3, %4) – %5.</source>
        <translation>%1 对比 %2（%3，%4）：%5。</translation>
    </message>
    <message>
        <source>NVIDIA GPU</source>
        <translation>NVIDIA GPU</translation>
    </message>
    <message>
        <source>Max grad norm</source>
        <translation>梯度最大范数</translation>
    </message>
    <message>
        <source>Longer gradients are scaled to this norm (of all trainable parameters together); 0: never</source>
        <translation>更长的梯度缩放到该范数（所有可训练参数合计）；0：从不</translation>
    </message>
    <message>
        <source>%1 is not recomputed from the forecasts</source>
        <translation>没有根据预测重新计算 %1</translation>
    </message>
    <message>
        <source>p (periods)</source>
        <translation>p（时段）</translation>
    </message>
    <message>
        <source>the errors of the test windows of %1 are not stored (run.store_forecasts)</source>
        <translation>%1 的测试窗口的误差没有存储（run.store_forecasts）</translation>
    </message>
    <message>
        <source>a run is queued or running</source>
        <translation>有运行在排队或正在进行</translation>
    </message>
    <message>
        <source>Tests over seeds ask whether training again, from other initial weights, gives the same difference. Tests over periods ask whether these trained models differ in the same way in other periods of the same series; they need no seeds, and say nothing about them. Δ: mean of other − base over the test windows that all paired runs have; each window&apos;s error is the mean over the seeds. DM, p (DM): Diebold-Mariano test, two-sided, with Newey-West&apos;s variance (Bartlett kernel over all windows, fixed-b distribution), not corrected for the number of tests. Interval: moving blocks at least as long as windows overlap (10,000 resamples, seed %1). &quot;all&quot;: as if all tasks rose and fell together, which is the largest possible error.</source>
        <translation>对种子的检验询问从其他初始权重重新训练是否得到同样的差异。对时段的检验询问这些训练好的模型在同一序列的其他时段是否有同样的差异；它不需要随机种子，也不能说明种子的影响。Δ：在所有配对运行共有的测试窗口上，另一值 − 对照的均值；每个窗口的误差是各随机种子的均值。DM、p (DM)：双侧 Diebold-Mariano 检验，采用 Newey-West 方差（Bartlett 核覆盖所有窗口，fixed-b 分布），未按检验数校正。区间：长度不短于窗口重叠的移动块（10,000 次重抽样，种子 %1）。“all”：视各任务同升同降，这是可能的最大误差。</translation>
    </message>
    <message>
        <source>95 % interval of Δ (blocks)</source>
        <translation>Δ 的 95 % 区间（分块）</translation>
    </message>
    <message>
        <source>p (DM)</source>
        <translation>p (DM)</translation>
    </message>
    <message>
        <source>$p$ (periods)</source>
        <translation>$p$（时段）</translation>
    </message>
    <message>
        <source>Over periods of the series</source>
        <translation>序列的各时段</translation>
    </message>
    <message>
        <source>no test over periods: %1</source>
        <translation>各时段无检验：%1</translation>
    </message>
    <message>
        <source>over periods of %1 tasks</source>
        <translation>%1 个任务的各时段</translation>
    </message>
    <message>
        <source>over periods</source>
        <translation>各时段</translation>
    </message>
    <message>
        <source>%1: no consistent difference (%2, %3 windows)</source>
        <translation>%1：没有一致的差异（%2，%3 个窗口）</translation>
    </message>
    <message>
        <source>%1: lower by %2 (%3, %4 windows)</source>
        <translation>%1：低 %2（%3，%4 个窗口）</translation>
    </message>
    <message>
        <source>%1: higher by %2 (%3, %4 windows)</source>
        <translation>%1：高 %2（%3，%4 个窗口）</translation>
    </message>
    <message>
        <source>the runs have no test window in common</source>
        <translation>这些运行没有共同的测试窗口</translation>
    </message>
    <message>
        <source>%1 windows, of which %2 overlap, are %3 independent periods, fewer than %4</source>
        <translation>%1 个窗口中每 %2 个相互重叠，只有 %3 个独立时段，少于 %4 个</translation>
    </message>
    <message>
        <source>the difference is the same in all windows</source>
        <translation>所有窗口的差异都相同</translation>
    </message>
    <message>
        <source>no task has one</source>
        <translation>没有任务有检验</translation>
    </message>
    <message>
        <source>tests over periods in comparisons.*: forecasts of some runs are missing or changed</source>
        <translation>comparisons.* 中各时段的检验：某些运行的预测缺失或已更改</translation>
    </message>
    <message>
        <source>Model in Python</source>
        <translation>Python 模型</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Python file with make(task), which gives the model</source>
        <translation>含 make(task) 的 Python 文件，由它给出模型</translation>
    </message>
    <message>
        <source>Interpreter</source>
        <translation>解释器</translation>
    </message>
    <message>
        <source>Python that runs the file: a name that PATH finds, or a path such as ~/venv/bin/python</source>
        <translation>执行该文件的 Python：PATH 中的名称，或路径，如 ~/venv/bin/python</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Options for the file (task.options); each can be set and swept as python.options.KEY</source>
        <translation>传给该文件的选项（task.options）；每一项都可用 python.options.KEY 设置和扫描</translation>
    </message>
    <message>
        <source>Name of the model in tables, lists and rankings; empty: the file&apos;s name</source>
        <translation>模型在表格、列表与排名中的名称；空：文件名</translation>
    </message>
    <message>
        <source>Answer seconds</source>
        <translation>应答秒数</translation>
    </message>
    <message>
        <source>Time for one answer of the file (a step, a batch of forecasts, a fit), after which the run fails; 0: no limit</source>
        <translation>该文件一次应答（一步、一批预测、一次拟合）的时限，超时则运行失败；0：不限</translation>
    </message>
    <message>
        <source>Sha256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>SHA-256 of the file; filled in where a run is planned</source>
        <translation>文件的 SHA-256；在规划运行时填入</translation>
    </message>
    <message>
        <source>no file is given</source>
        <translation>未给出文件</translation>
    </message>
    <message>
        <source>a Python file with make(task)</source>
        <translation>含 make(task) 的 Python 文件</translation>
    </message>
    <message>
        <source>Set python.file to your file.</source>
        <translation>请将 python.file 设为您的文件。</translation>
    </message>
    <message>
        <source>a Python file</source>
        <translation>Python 文件</translation>
    </message>
    <message>
        <source>python.file: %1: %2</source>
        <translation>python.file：%1：%2</translation>
    </message>
    <message>
        <source>a table, e.g. { d_model = 256, dropout = 0.1 }</source>
        <translation>一个表，例如 { d_model = 256, dropout = 0.1 }</translation>
    </message>
    <message>
        <source>a number, a string, true, false, or a list of numbers or strings</source>
        <translation>数字、字符串、true、false，或数字或字符串的列表</translation>
    </message>
    <message>
        <source>the name of a program, or its path</source>
        <translation>程序的名称或路径</translation>
    </message>
    <message>
        <source>has an item that is not finite</source>
        <translation>含有非有限的项</translation>
    </message>
    <message>
        <source>is no name of letters, digits, &apos;_&apos; and &apos;-&apos;</source>
        <translation>不是由字母、数字、“_”和“-”组成的名称</translation>
    </message>
    <message>
        <source>has the entry %1, which %2</source>
        <translation>含有条目 %1，它%2</translation>
    </message>
    <message>
        <source>a name of letters, digits, &apos;_&apos; and &apos;-&apos;</source>
        <translation>由字母、数字、“_”和“-”组成的名称</translation>
    </message>
    <message>
        <source>Rename it.</source>
        <translation>请重命名。</translation>
    </message>
    <message>
        <source>two equal training steps gave different weights: this run cannot be repeated or resumed to the bit (random numbers of its own, or a state that is not complete)</source>
        <translation>两次相同的训练步得到了不同的权重：该运行无法逐位重复或恢复（使用了自己的随机数，或状态不完整）</translation>
    </message>
    <message>
        <source>its forecasts cannot be repeated: two of the same windows differ by up to %1 (root mean square of the forecasts: %2)</source>
        <translation>其预测无法重复：同一批窗口的两次预测最多相差 %1（预测的均方根：%2）</translation>
    </message>
    <message>
        <source>its forecasts are random: with other random numbers they differ by up to %1 (root mean square of the forecasts: %2)</source>
        <translation>其预测是随机的：换用其他随机数时最多相差 %1（预测的均方根：%2）</translation>
    </message>
    <message>
        <source>its forecasts depend on the other windows of a batch: in another order, in batches of %1, they differ by up to %2 (root mean square of the forecasts: %3). Its errors are not those of a forecast from one look-back.</source>
        <translation>其预测依赖于同批的其他窗口：换一种顺序、以每批 %1 个窗口预测时最多相差 %2（预测的均方根：%3）。其误差并非由单个回看窗口作出的预测的误差。</translation>
    </message>
    <message>
        <source>it does not forecast a batch of %1 windows: %2</source>
        <translation>无法预测含 %1 个窗口的批次：%2</translation>
    </message>
    <message>
        <source>the model is a Python file, which is executed by explicit commands only</source>
        <translation>模型是 Python 文件，只由明确的命令执行</translation>
    </message>
    <message>
        <source>%1, and a model in Python trains in one process</source>
        <translation>%1，而 Python 模型在单个进程中训练</translation>
    </message>
    <message>
        <source>run.processes = 1</source>
        <translation>run.processes = 1</translation>
    </message>
    <message>
        <source>%1, and runs of a model in Python are trained one after the other</source>
        <translation>%1，而 Python 模型的运行逐个训练</translation>
    </message>
    <message>
        <source>run.together = 1</source>
        <translation>run.together = 1</translation>
    </message>
    <message>
        <source>%1 does not read python.options.%2</source>
        <translation>%1 没有读取 python.options.%2</translation>
    </message>
    <message>
        <source>a file of weights</source>
        <translation>权重文件</translation>
    </message>
    <message>
        <source>the file is not the one that was written with the weights</source>
        <translation>该文件不是与权重一同写入的文件</translation>
    </message>
    <message>
        <source>the file with the SHA-256 %1</source>
        <translation>SHA-256 为 %1 的文件</translation>
    </message>
    <message>
        <source>Copy both files again from where they came.</source>
        <translation>请从来源处重新复制这两个文件。</translation>
    </message>
    <message>
        <source>no connection can be made: %1</source>
        <translation>无法建立连接：%1</translation>
    </message>
    <message>
        <source>no memory can be shared: %1</source>
        <translation>无法共享内存：%1</translation>
    </message>
    <message>
        <source>its process sends what is no answer</source>
        <translation>其进程发送的内容不是应答</translation>
    </message>
    <message>
        <source>no answer within %1 s</source>
        <translation>%1 秒内没有应答</translation>
    </message>
    <message>
        <source>It waits for something, or needs more time: see python.answer_seconds.</source>
        <translation>它在等待，或需要更多时间：见 python.answer_seconds。</translation>
    </message>
    <message>
        <source>(no text)</source>
        <translation>（非文本）</translation>
    </message>
    <message>
        <source>%1 printed %2 lines; further ones are not kept</source>
        <translation>%1 已输出 %2 行；其后的不再保留</translation>
    </message>
    <message>
        <source>its process has ended</source>
        <translation>其进程已结束</translation>
    </message>
    <message>
        <source>its process was killed (signal %1)</source>
        <translation>其进程被终止（信号 %1）</translation>
    </message>
    <message>
        <source>Memory may have run out: try a smaller train.batch_size.</source>
        <translation>内存可能已耗尽：请尝试较小的 train.batch_size。</translation>
    </message>
    <message>
        <source>its process ended with status %1</source>
        <translation>其进程以状态 %1 结束</translation>
    </message>
    <message>
        <source>its process ended with status %1: %2</source>
        <translation>其进程以状态 %1 结束：%2</translation>
    </message>
    <message>
        <source>python.interpreter names the Python to use: 3.9 or later, with numpy.</source>
        <translation>python.interpreter 指定所用的 Python：3.9 或更高版本，并带有 numpy。</translation>
    </message>
    <message>
        <source>Memory ran out: set a smaller train.batch_size.</source>
        <translation>内存已耗尽：请将 train.batch_size 设小。</translation>
    </message>
    <message>
        <source>The whole trace is in the log.</source>
        <translation>完整的回溯在日志中。</translation>
    </message>
    <message>
        <source>this run is of a Python model that was not run here before, and using it executes code</source>
        <translation>该运行的 Python 模型此前未在此执行过，而使用它会执行代码</translation>
    </message>
    <message>
        <source>code that you have read and trust</source>
        <translation>您已阅读并信任的代码</translation>
    </message>
    <message>
        <source>Then add --trust-model.</source>
        <translation>然后加上 --trust-model。</translation>
    </message>
    <message>
        <source>Python files beside the model&apos;s</source>
        <translation>模型文件旁的 Python 文件</translation>
    </message>
    <message>
        <source>the run in %1 was trained by other Python files</source>
        <translation>%1 中的运行是由其他 Python 文件训练的</translation>
    </message>
    <message>
        <source>Fork with the parent&apos;s files.</source>
        <translation>请用父运行的文件进行分叉。</translation>
    </message>
    <message>
        <source>%1 has changed since the run: its forecasts may differ</source>
        <translation>%1 自该运行以来已改变：其预测可能不同</translation>
    </message>
    <message>
        <source>the process did not answer in time: what was learned since the last checkpoint is lost</source>
        <translation>进程未及时应答：自上一个检查点以来所学的内容已丢失</translation>
    </message>
    <message>
        <source>the file, or a module beside it, has changed since the run was planned</source>
        <translation>该文件或其旁的模块在运行规划之后已改变</translation>
    </message>
    <message>
        <source>the files as they were</source>
        <translation>未改变的文件</translation>
    </message>
    <message>
        <source>Start a new run with the changed file.</source>
        <translation>请用改变后的文件开始新的运行。</translation>
    </message>
    <message>
        <source>its stored state is not complete: in a new process its forecasts differ by up to %1 (root mean square of the forecasts: %2). Evaluations, forecasts ahead and resumed runs will differ.</source>
        <translation>其存储的状态不完整：在新进程中其预测最多相差 %1（预测的均方根：%2）。评估、向前预测与恢复的运行都会不同。</translation>
    </message>
    <message>
        <source>the model could not be checked: %1</source>
        <translation>无法检查该模型：%1</translation>
    </message>
    <message>
        <source>%1The model forecasts values that are not numbers.</source>
        <translation>%1该模型的预测值不是数。</translation>
    </message>
    <message>
        <source>Embeds</source>
        <translation>提供嵌入</translation>
    </message>
    <message>
        <source>Whether the model has embed(x), which gives an embedding per window and channel; filled in where a run is planned</source>
        <translation>模型是否有 embed(x)，它为每个窗口和通道给出一个嵌入；在规划运行时填入</translation>
    </message>
    <message>
        <source>the model gives no embeddings</source>
        <translation>该模型不提供嵌入</translation>
    </message>
    <message>
        <source>a model with embed(x), which returns (windows, channels, width)</source>
        <translation>带有 embed(x) 的模型，其返回值为（窗口数, 通道数, 宽度）</translation>
    </message>
    <message>
        <source>Save the sheet as CSV, or convert each one with Python: %1</source>
        <translation>请将工作表另存为 CSV，或用 Python 转换每个工作表：%1</translation>
    </message>
    <message>
        <source>Reading it can run code in it. If you trust its origin, convert it with Python: %1</source>
        <translation>读取该文件可能会执行其中的代码。若您信任其来源，请用 Python 转换：%1</translation>
    </message>
    <message>
        <source>import pandas; [t.to_csv(n + &quot;.csv&quot;, index=False, header=False) for n, t in pandas.read_excel({in}, header=None, sheet_name=None, dtype=object).items()]</source>
        <translation>import pandas; [t.to_csv(n + &quot;.csv&quot;, index=False, header=False) for n, t in pandas.read_excel({in}, header=None, sheet_name=None, dtype=object).items()]</translation>
    </message>
    <message>
        <source>import pandas; pandas.read_xml({in}, dtype=str).to_csv({out}, index=False)</source>
        <translation>import pandas; pandas.read_xml({in}, dtype=str).to_csv({out}, index=False)</translation>
    </message>
    <message>
        <source>import pandas; pandas.read_json({in}, precise_float=True, convert_dates=False).sort_index().to_csv({out})</source>
        <translation>import pandas; pandas.read_json({in}, precise_float=True, convert_dates=False).sort_index().to_csv({out})</translation>
    </message>
    <message>
        <source>import sqlite3, pandas; c = sqlite3.connect({in}); [pandas.read_sql(f&apos;SELECT * FROM &quot;{t}&quot;&apos;, c).to_csv(t + &quot;.csv&quot;, index=False) for (t,) in c.execute(&quot;SELECT name FROM sqlite_master WHERE type=&apos;table&apos; AND name NOT LIKE &apos;sqlite_%&apos;&quot;).fetchall()]</source>
        <translation>import sqlite3, pandas; c = sqlite3.connect({in}); [pandas.read_sql(f&apos;SELECT * FROM &quot;{t}&quot;&apos;, c).to_csv(t + &quot;.csv&quot;, index=False) for (t,) in c.execute(&quot;SELECT name FROM sqlite_master WHERE type=&apos;table&apos; AND name NOT LIKE &apos;sqlite_%&apos;&quot;).fetchall()]</translation>
    </message>
    <message>
        <source>import pandas; pandas.read_json({in}, lines=True, precise_float=True, convert_dates=False).to_csv({out}, index=False)</source>
        <translation>import pandas; pandas.read_json({in}, lines=True, precise_float=True, convert_dates=False).to_csv({out}, index=False)</translation>
    </message>
    <message>
        <source>Use caspstudio --convert with --out FILE.safetensors, or do it by hand. %1</source>
        <translation>请使用 caspstudio --convert 与 --out FILE.safetensors，或手动转换。%1</translation>
    </message>
    <message>
        <source>Use caspstudio --convert, or do it by hand. %1</source>
        <translation>请使用 caspstudio --convert，或手动转换。%1</translation>
    </message>
    <message>
        <source>Reading it can run code in it. If you trust its origin, convert the weights with Python: %1</source>
        <translation>读取该文件可能会执行其中的代码。若您信任其来源，请用 Python 转换权重：%1</translation>
    </message>
    <message>
        <source>Install Python, or name one with python.interpreter.</source>
        <translation>请安装 Python，或用 python.interpreter 指定一个。</translation>
    </message>
    <message>
        <source>%1 has no package %2, which is needed to read this</source>
        <translation>%1 没有读取该文件所需的包 %2</translation>
    </message>
    <message>
        <source>Install it: %1 -m pip install %2</source>
        <translation>请安装：%1 -m pip install %2</translation>
    </message>
    <message>
        <source>the file holds several tables: %1</source>
        <translation>文件中有多个表：%1</translation>
    </message>
    <message>
        <source>the conversion failed: %1</source>
        <translation>转换失败：%1</translation>
    </message>
    <message>
        <source>exit status</source>
        <translation>退出状态</translation>
    </message>
    <message>
        <source>a file of another format</source>
        <translation>其他格式的文件</translation>
    </message>
    <message>
        <source>this file is read as it is</source>
        <translation>该文件可直接读取</translation>
    </message>
    <message>
        <source>a file that can be converted</source>
        <translation>可以转换的文件</translation>
    </message>
    <message>
        <source>exists already</source>
        <translation>已存在</translation>
    </message>
    <message>
        <source>Give another name, or remove it.</source>
        <translation>请指定另一个名称，或删除该文件。</translation>
    </message>
    <message>
        <source>%1 was converted to %2 with %3</source>
        <translation>已用 %3 将 %1 转换为 %2</translation>
    </message>
    <message>
        <source>the table has a row for each %1</source>
        <translation>表中每个 %1 各有一行</translation>
    </message>
    <message>
        <source>a row for each time</source>
        <translation>每个时间一行</translation>
    </message>
    <message>
        <source>the file holds no weights</source>
        <translation>文件中没有权重</translation>
    </message>
    <message>
        <source>the file holds no table</source>
        <translation>文件中没有表</translation>
    </message>
    <message>
        <source>import h5py, pandas; [pandas.DataFrame(v[()].T if v.shape[1] &gt; 1 else v[()]).add_prefix(k).to_csv(k + &quot;.csv&quot;, index=False) for k, v in h5py.File({in}).items() if getattr(v, &quot;ndim&quot;, 0) == 2]</source>
        <translation>import h5py, pandas; [pandas.DataFrame(v[()].T if v.shape[1] &gt; 1 else v[()]).add_prefix(k).to_csv(k + &quot;.csv&quot;, index=False) for k, v in h5py.File({in}).items() if getattr(v, &quot;ndim&quot;, 0) == 2]</translation>
    </message>
    <message>
        <source>import scipy.io, pandas; [pandas.DataFrame(v if len(v) &gt; 1 else v.T).add_prefix(k).to_csv(k + &quot;.csv&quot;, index=False) for k, v in scipy.io.loadmat({in}).items() if getattr(v, &quot;ndim&quot;, 0) == 2]</source>
        <translation>import scipy.io, pandas; [pandas.DataFrame(v if len(v) &gt; 1 else v.T).add_prefix(k).to_csv(k + &quot;.csv&quot;, index=False) for k, v in scipy.io.loadmat({in}).items() if getattr(v, &quot;ndim&quot;, 0) == 2]</translation>
    </message>
    <message>
        <source>the model gives no embeddings, which run.store_embeddings asks for</source>
        <translation>该模型不提供 run.store_embeddings 所要求的嵌入</translation>
    </message>
    <message>
        <source>the name is given as a value and as a table</source>
        <translation>该名称既作为值又作为表给出</translation>
    </message>
    <message>
        <source>one of both</source>
        <translation>二者之一</translation>
    </message>
    <message>
        <source>%1 has no effect: the model of %2 is no torch module</source>
        <translation>%1 不起作用：%2 的模型不是 torch 模块</translation>
    </message>
    <message>
        <source>the file is not UTF-8</source>
        <translation>该文件不是 UTF-8 编码</translation>
    </message>
    <message>
        <source>Save it as UTF-8.</source>
        <translation>请将其保存为 UTF-8。</translation>
    </message>
    <message>
        <source>a description</source>
        <translation>描述文件</translation>
    </message>
    <message>
        <source>true, false, a number such as 0.5, or text in quotes</source>
        <translation>true、false、形如 0.5 的数字，或带引号的文本</translation>
    </message>
    <message>
        <source>there will be no embeddings: %1</source>
        <translation>将没有嵌入：%1</translation>
    </message>
    <message>
        <source>%1, or a module beside it, has changed</source>
        <translation>%1 或其旁边的模块已更改</translation>
    </message>
    <message>
        <source>%1, which the run imported, is not imported now: its forecasts may differ</source>
        <translation>运行时导入的 %1 现在未被导入：其预测可能不同</translation>
    </message>
    <message>
        <source>imported, but not by an import statement that is found: %1; this code is neither kept with the run nor part of python.sha256</source>
        <translation>已导入，但未找到对应的 import 语句：%1；这些代码既不随运行保存，也不计入 python.sha256</translation>
    </message>
    <message>
        <source>embeddings are not finite from here on: %1</source>
        <translation>此后的嵌入不是有限值：%1</translation>
    </message>
    <message>
        <source>import torch, safetensors.torch as s; d = torch.load({in}, map_location=&quot;cpu&quot;, weights_only=True); c = [v for v in d.values() if isinstance(v, dict) and any(map(torch.is_tensor, v.values()))]; d = next((d[k] for k in (&quot;state_dict&quot;, &quot;model_state_dict&quot;, &quot;model&quot;) if isinstance(d.get(k), dict)), c[0] if len(c) == 1 else d); s.save_file({k: v.detach().clone().contiguous() for k, v in d.items() if torch.is_tensor(v)}, {out})</source>
        <translation>import torch, safetensors.torch as s; d = torch.load({in}, map_location=&quot;cpu&quot;, weights_only=True); c = [v for v in d.values() if isinstance(v, dict) and any(map(torch.is_tensor, v.values()))]; d = next((d[k] for k in (&quot;state_dict&quot;, &quot;model_state_dict&quot;, &quot;model&quot;) if isinstance(d.get(k), dict)), c[0] if len(c) == 1 else d); s.save_file({k: v.detach().clone().contiguous() for k, v in d.items() if torch.is_tensor(v)}, {out})</translation>
    </message>
    <message>
        <source>this is a collection of series, and the run is on a table</source>
        <translation>这是一个序列集合，而该运行使用的是表格</translation>
    </message>
    <message>
        <source>the names of the channels that %1 was trained on are not known; it is given the columns in this order: %2</source>
        <translation>不知道 %1 训练时所用通道的名称；各列按此顺序交给它：%2</translation>
    </message>
    <message>
        <source>the run&apos;s channels: %1</source>
        <translation>该运行的通道：%1</translation>
    </message>
    <message>
        <source>its columns have another order than the run&apos;s channels, which the model distinguishes: %1</source>
        <translation>其列的顺序与该运行的通道不同，而模型区分各通道：%1</translation>
    </message>
    <message>
        <source>Bring the columns into this order.</source>
        <translation>请按此顺序排列各列。</translation>
    </message>
    <message>
        <source>it has columns that the run did not have: %1</source>
        <translation>它有该运行没有的列：%1</translation>
    </message>
    <message>
        <source>it lacks %1</source>
        <translation>它缺少 %1</translation>
    </message>
    <message>
        <source>Select the run&apos;s with data.columns.</source>
        <translation>请用 data.columns 选择该运行的列。</translation>
    </message>
    <message>
        <source>%1 has other columns than the run had; the model is given %2 instead of %3</source>
        <translation>%1 的列与该运行的不同；交给模型的是 %2，而不是 %3</translation>
    </message>
    <message>
        <source>the MSE is not finite</source>
        <translation>MSE 不是有限值</translation>
    </message>
    <message>
        <source>Forecasts have values that are no numbers, or very large ones.</source>
        <translation>预测中有不是数的值，或非常大的值。</translation>
    </message>
    <message>
        <source>fit_batch() gets only windows whose future values are all there: %1 of %2 in a batch</source>
        <translation>fit_batch() 只得到未来值齐全的窗口：一批 %2 个中的 %1 个</translation>
    </message>
    <message>
        <source>no training window has all its future values, and %1() gets only such</source>
        <translation>没有一个训练窗口的未来值齐全，而 %1() 只得到这样的窗口</translation>
    </message>
    <message>
        <source>The series are too short: set a smaller data.horizon.</source>
        <translation>序列太短：请设置较小的 data.horizon。</translation>
    </message>
    <message>
        <source>fit() gets one window of each series, the last with all its future values: %1 of %2 series have one</source>
        <translation>fit() 从每个序列得到一个窗口，即未来值齐全的最后一个：%2 个序列中有 %1 个</translation>
    </message>
    <message>
        <source>* lowest mean validation MSE (collections of series: sMAPE) among the rows with the same data and horizon</source>
        <translation>* 在数据和预测步长相同的行中，平均验证 MSE（序列集合：sMAPE）最低</translation>
    </message>
    <message>
        <source>* lowest mean validation MSE among the rows with the same data and horizon</source>
        <translation>* 在数据和预测步长相同的行中，平均验证 MSE 最低</translation>
    </message>
    <message>
        <source>Coverage gate by usage</source>
        <translation>按使用次数的覆盖门控</translation>
    </message>
    <message>
        <source>Per anchor: how often it is retrieved, and how often the gate presses on it</source>
        <translation>每个锚点：被检索的频率，以及门控对其施压的频率</translation>
    </message>
    <message>
        <source>Gradient norms</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Gradient norms of the weighted loss terms over the training steps</source>
        <translation>加权损失项的梯度范数随训练步数的变化</translation>
    </message>
    <message>
        <source>GPT-2, GPT-2 with random weights, or what replaces it: a trainable attention layer or transformer block, or nothing</source>
        <translation>GPT-2、随机权重的 GPT-2，或其替代：一个可训练的注意力层或 Transformer 块，或什么都没有</translation>
    </message>
    <message>
        <source>Anchors of the prompt; shuffled: a fixed permutation of the pool replaces them; random: K drawn for each window and channel, anew in each training step; free: trainable vectors instead of combinations of word embeddings</source>
        <translation>提示的锚点；shuffled：用锚点池的固定置换替换；random：为每个窗口和通道抽取 K 个，每个训练步重新抽取；free：用可训练向量代替词嵌入的组合</translation>
    </message>
    <message>
        <source>Gate</source>
        <translation>门控</translation>
    </message>
    <message>
        <source>Gate of L_cov: min(s⁺, c̃); product: s⁺·c̃; threshold: s⁺ of anchors whose c̃ is above the pool&apos;s mean; none: s⁺</source>
        <translation>L_cov 的门控：min(s⁺, c̃)；product：s⁺·c̃；threshold：c̃ 高于池均值的锚点的 s⁺；none：s⁺</translation>
    </message>
    <message>
        <source>Stop gradient</source>
        <translation>停止梯度</translation>
    </message>
    <message>
        <source>Treat c̃ as a constant in L_cov; off: its gradient also passes through c̃&apos;s share of the batch</source>
        <translation>在 L_cov 中把 c̃ 视为常数；关闭：梯度也经过 c̃ 中来自当前批次的部分</translation>
    </message>
    <message>
        <source>Lookback checks</source>
        <translation>回看窗口检查</translation>
    </message>
    <message>
        <source>Also test with look-backs whose rows are shuffled, half masked, or whose halves are exchanged</source>
        <translation>另外用受损的回看窗口测试：打乱行、遮住一半的行、交换前后两半</translation>
    </message>
    <message>
        <source>Gradient steps</source>
        <translation>梯度记录间隔</translation>
    </message>
    <message>
        <source>Interval at which the gradient norm of each weighted loss term is stored; 0: never</source>
        <translation>保存各加权损失项梯度范数的间隔；0：从不</translation>
    </message>
    <message>
        <source>Test MSE, shuffled</source>
        <translation>测试 MSE（打乱）</translation>
    </message>
    <message>
        <source>Test MSE with the rows of every look-back in random order (run.lookback_checks)</source>
        <translation>每个回看窗口的行按随机顺序排列时的测试 MSE（run.lookback_checks）</translation>
    </message>
    <message>
        <source>Test MSE, half masked</source>
        <translation>测试 MSE（遮住一半）</translation>
    </message>
    <message>
        <source>Test MSE with half of the rows of every look-back, drawn at random, set to the training mean (run.lookback_checks)</source>
        <translation>每个回看窗口随机抽取一半的行设为训练均值时的测试 MSE（run.lookback_checks）</translation>
    </message>
    <message>
        <source>Test MSE, halves exchanged</source>
        <translation>测试 MSE（前后交换）</translation>
    </message>
    <message>
        <source>Test MSE with the two halves of every look-back exchanged (run.lookback_checks)</source>
        <translation>每个回看窗口的前后两半交换时的测试 MSE（run.lookback_checks）</translation>
    </message>
    <message>
        <source>Key cosine, all windows</source>
        <translation>键余弦（所有窗口）</translation>
    </message>
    <message>
        <source>Mean pairwise cosine of all anchors retrieved for any test window; the key cosine is the mean over windows of the same over the K anchors of each</source>
        <translation>任一测试窗口检索到的全部锚点的平均两两余弦；键余弦则是每个窗口的 K 个锚点的同一数值对窗口的平均</translation>
    </message>
    <message>
        <source>Paired comparison with λ_cov = 0 in windows with and without a trend change</source>
        <translation>在有和没有趋势变化的窗口中与 λ_cov = 0 的配对比较</translation>
    </message>
    <message>
        <source>Paired comparison with λ_cov = 0 in strata of the look-back&apos;s trend strength</source>
        <translation>按回看窗口趋势强度分层，与 λ_cov = 0 的配对比较</translation>
    </message>
    <message>
        <source>Paired comparison with λ_cov = 0 in strata of the look-back&apos;s low-frequency share</source>
        <translation>按回看窗口低频占比分层，与 λ_cov = 0 的配对比较</translation>
    </message>
    <message>
        <source>With ties, zeros or more than 50 pairs, p is the normal approximation with corrections for ties and continuity; zeros are dropped.</source>
        <translation>有相同值、零或超过 50 对时，p 为经相同值校正和连续性校正的正态近似；零被去掉。</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>原样</translation>
    </message>
    <message>
        <source>random weights</source>
        <translation>随机权重</translation>
    </message>
    <message>
        <source>one transformer block</source>
        <translation>一个 Transformer 块</translation>
    </message>
    <message>
        <source>one attention layer</source>
        <translation>一个注意力层</translation>
    </message>
    <message>
        <source>language model</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>test MSE</source>
        <translation>测试 MSE</translation>
    </message>
    <message>
        <source>seconds of a run</source>
        <translation>每次运行的秒数</translation>
    </message>
    <message>
        <source>trained parameters</source>
        <translation>训练的参数</translation>
    </message>
    <message>
        <source>all parameters</source>
        <translation>全部参数</translation>
    </message>
    <message>
        <source>half masked</source>
        <translation>遮住一半</translation>
    </message>
    <message>
        <source>halves exchanged</source>
        <translation>前后交换</translation>
    </message>
    <message>
        <source>&quot;As it is&quot; has random weights here, too: this page compares architectures, and says nothing about what pre-training gives.</source>
        <translation>这里的“原样”也是随机权重：本页比较的是结构，不能说明预训练带来什么。</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>no shipped experiment is called %1</source>
        <translation>没有名为 %1 的随附实验</translation>
    </message>
    <message>
        <source>Nearest name: %1%2.</source>
        <translation>最接近的名称：%1%2。</translation>
    </message>
    <message>
        <source>%1 (%2 of %3 cells)</source>
        <translation>%1（%3 个单元中的 %2 个）</translation>
    </message>
    <message>
        <source>Same as union %</source>
        <translation>与并集相同 %</translation>
    </message>
    <message>
        <source>Same as strength %</source>
        <translation>与强度相同 %</translation>
    </message>
    <message>
        <source>With a change</source>
        <translation>有变化</translation>
    </message>
    <message>
        <source>Highest tenth</source>
        <translation>最高的十分之一</translation>
    </message>
    <message>
        <source>Lowest three tenths</source>
        <translation>最低的十分之三</translation>
    </message>
    <message>
        <source>Union of channels</source>
        <translation>通道并集</translation>
    </message>
    <message>
        <source>Channel average</source>
        <translation>通道平均</translation>
    </message>
    <message>
        <source>Printed settings: label tab:hparams in the paper&apos;s LaTeX source.</source>
        <translation>论文给出的设置：其 LaTeX 源文件中的标签 tab:hparams。</translation>
    </message>
    <message>
        <source>%1 runs are missing. Command: caspstudio --batch paper:tuning</source>
        <translation>缺少 %1 次运行。命令：caspstudio --batch paper:tuning</translation>
    </message>
    <message>
        <source>Choices are by validation MSE only. Test MSE is shown for the chosen settings and takes no part.</source>
        <translation>只按验证 MSE 选择。所选设置的测试 MSE 仅作显示，不参与选择。</translation>
    </message>
    <message>
        <source>Two stages for each cell, single seed: loss weights and K at S2IP-LLM&apos;s lengths (48 runs), then both lengths at the chosen weights (20 runs). The paper does not say whether its search was over the full grid of 960 combinations or one setting after another.</source>
        <translation>每个单元两个阶段，单个种子：先在 S2IP-LLM 的长度下搜索损失权重和 K（48 次运行），再在所选权重下搜索两个长度（20 次运行）。论文没有说明其搜索是遍历全部 960 个组合还是逐个设置进行。</translation>
    </message>
    <message>
        <source>Next: validation MSE of the second-best run of the search above that of the best. Within 1 %: further runs of the search that close. A search whose stages are not complete may choose others later.</source>
        <translation>下一个：搜索中次优运行的验证 MSE 比最优的高出多少。1 % 以内：搜索中与最优如此接近的其他运行数。阶段尚未完成的搜索以后可能选出别的设置。</translation>
    </message>
    <message>
        <source>Search of the hyperparameters by validation MSE, beside the paper&apos;s choice</source>
        <translation>按验证 MSE 搜索超参数，与论文的选择并列</translation>
    </message>
    <message>
        <source>random backbone</source>
        <translation>随机骨干</translation>
    </message>
    <message>
        <source>layer norms</source>
        <translation>层归一化</translation>
    </message>
    <message>
        <source>token table</source>
        <translation>词元表</translation>
    </message>
    <message>
        <source>patch embedding</source>
        <translation>分块嵌入</translation>
    </message>
    <message>
        <source>anchor projection</source>
        <translation>锚点投影</translation>
    </message>
    <message>
        <source>%1 needs the gradients of whole batches, and %2 divides them</source>
        <translation>%1 需要整个批次的梯度，而 %2 会把批次分开</translation>
    </message>
    <message>
        <source>the run in %1 has other random weights in its backbone</source>
        <translation>%1 中的运行的骨干有不同的随机权重</translation>
    </message>
    <message>
        <source>They follow from train.seed: fork with the parent&apos;s seed and backbone.kind.</source>
        <translation>它们由 train.seed 决定：请用父运行的种子和 backbone.kind 分叉。</translation>
    </message>
    <message>
        <source>mean pairwise cosine of all keys retrieved for any window</source>
        <translation>任一窗口检索到的全部键的平均两两余弦</translation>
    </message>
    <message>
        <source>the attribute terms of %1 lists no loss terms</source>
        <translation>%1 的属性 terms 没有列出损失项</translation>
    </message>
    <message>
        <source>damaged look-back</source>
        <translation>受损的回看窗口</translation>
    </message>
    <message>
        <source>the run has another gate than min(s⁺, c̃)</source>
        <translation>该运行的门控不是 min(s⁺, c̃)</translation>
    </message>
    <message>
        <source>the run has no coverage statistic at its best step</source>
        <translation>该运行在最佳步没有覆盖统计量</translation>
    </message>
    <message>
        <source>its anchors are free vectors, not combinations of words</source>
        <translation>其锚点是自由向量，而不是词的组合</translation>
    </message>
    <message>
        <source>Their nearest words mean nothing: model.anchors = &quot;free&quot;.</source>
        <translation>它们最近的词没有意义：model.anchors = &quot;free&quot;。</translation>
    </message>
    <message>
        <source>Shuffled, half masked, halves exchanged: how much higher the test MSE of the trained model is, in per cent, with the rows of every look-back in random order, with half of them set to the training mean, or with its halves exchanged. A model that loses little does not use the order. Seconds include validations and these tests, and are comparable on one kind of device only.</source>
        <translation>打乱、遮住一半、前后交换：每个回看窗口的行随机排列、一半的行设为训练均值、或前后两半交换时，训练好的模型的测试 MSE 高出百分之多少。损失很小的模型没有利用顺序。秒数包括验证和这些测试，只能在同一种设备上比较。</translation>
    </message>
    <message>
        <source>%1.csv is not checked: make it again with --table %1</source>
        <translation>%1.csv 未检查：用 --table %1 重新生成</translation>
    </message>
    <message>
        <source>errors with damaged look-backs need the weights: compared between run.h5, run.json and the tables only</source>
        <translation>受损回看窗口的误差需要权重：只在 run.h5、run.json 和表格之间比较</translation>
    </message>
    <message>
        <source>Take snapshots at the ends of epochs: run.snapshot_steps = 0.</source>
        <translation>请在每轮结束时取快照：run.snapshot_steps = 0。</translation>
    </message>
    <message>
        <source>Δ: how much higher the test MSE is with this in place of the language model, in per cent of that with it, over pairs of runs with the same seed and otherwise equal settings. Above zero the language model helps. Random weights: the same blocks, drawn anew for each seed, with the same layers trained: what pre-training gives. Interval: 95 % paired bootstrap (10,000 resamples). p: two-sided Wilcoxon signed-rank test; Holm: over the kinds of a model and task.</source>
        <translation>Δ：用它代替语言模型后测试 MSE 高出多少，以有语言模型时的百分比表示，取种子相同且其他设置相等的运行对。大于零表示语言模型有帮助。随机权重：相同的块，每个种子重新抽取，训练相同的层，即预训练带来什么。区间：95 % 配对自助法（10,000 次重抽样）。p：双侧 Wilcoxon 符号秩检验；Holm：对每个模型和任务的各种替代。</translation>
    </message>
</context>
</TS>
